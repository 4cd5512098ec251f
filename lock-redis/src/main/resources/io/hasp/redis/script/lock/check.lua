-- Checks at connect what would otherwise be found out too late: is this a master, may we publish and count subscribers, and what
-- does the server do when its memory is full? A replica that takes no writes is known by a write that changes nothing; one that
-- takes writes of its own only by INFO, which the user may not be allowed to ask.
-- KEYS  1 a key that does not exist
-- ARGV  1 our channel, empty for a client that does without messages
-- Reply role|policy|cluster|data|refusal: role is 'slave' for a replica; policy is the value of maxmemory-policy; cluster is 1 for a node of
--       one; data is the replication id, the same for a master and its replicas. These three are empty if the server does not show them.
--       refusal is the error reply to PUBLISH or PUBSUB NUMSUB, empty if there was none
local written = redis.pcall('DEL', KEYS[1])
if type(written) == 'table' and string.find(written.err, 'READONLY', 1, true) then
  return 'slave||||'
end
local refusal
if ARGV[1] ~= '' then
  local published = redis.pcall('PUBLISH', ARGV[1], '')
  refusal = type(published) == 'table' and published.err or redis.pcall('PUBSUB', 'NUMSUB', ARGV[1]).err
end
local function shown(section, pattern)
  local info = redis.pcall('INFO', section)
  return type(info) == 'string' and string.match(info, pattern) or ''
end
return shown('replication', 'role:(%a+)') .. '|' .. shown('memory', 'maxmemory_policy:([%w%-]+)') .. '|'
  .. shown('cluster', 'cluster_enabled:(%d)') .. '|' .. shown('replication', 'master_replid:(%w+)') .. '|' .. (refusal or '')
