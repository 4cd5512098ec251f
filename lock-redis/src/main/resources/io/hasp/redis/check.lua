-- Asks at connect what would otherwise be found out too late: may we publish and ask who listens, and what does the server do
-- when its memory is full?
-- ARGV  1 our channel
-- Reply the value of maxmemory-policy, empty if the server does not show it
local published = redis.pcall('PUBLISH', ARGV[1], '')
if type(published) == 'table' then
  return published
end
local count = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
if count.err then
  return count
end
local info = redis.pcall('INFO', 'memory')
return type(info) == 'string' and string.match(info, 'maxmemory_policy:([%w%-]+)') or ''
