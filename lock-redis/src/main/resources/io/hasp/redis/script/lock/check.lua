-- Checks at connect what would otherwise be found out too late: is this a master, may we publish and count subscribers, and what
-- does the server do when its memory is full? A replica that takes no writes is known by a write that changes nothing; one that
-- takes writes of its own only by INFO, which the user may not be allowed to ask.
-- KEYS  1 a key that does not exist
-- ARGV  1 our channel
-- Reply role|policy|cluster|data: role is 'slave' for a replica; policy is the value of maxmemory-policy; cluster is 1 for a node of
--       one; data is the replication id, the same for a master and its replicas. The last three are empty if the server does not show them
local written = redis.pcall('DEL', KEYS[1])
if type(written) == 'table' and string.find(written.err, 'READONLY', 1, true) then
  return 'slave||'
end
local published = redis.pcall('PUBLISH', ARGV[1], '')
if type(published) == 'table' then
  return published
end
local count = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
if count.err then
  return count
end
local function shown(section, pattern)
  local info = redis.pcall('INFO', section)
  return type(info) == 'string' and string.match(info, pattern) or ''
end
return shown('replication', 'role:(%a+)') .. '|' .. shown('memory', 'maxmemory_policy:([%w%-]+)') .. '|'
  .. shown('cluster', 'cluster_enabled:(%d)') .. '|' .. shown('replication', 'master_replid:(%w+)')
