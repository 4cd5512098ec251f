-- Tries each command that locks need, on a key that does not exist, and leaves none. Publishes to the caller's own channel.
-- KEYS  1 a key that does not exist
-- ARGV  1 channel
-- Reply a line for each command: its name, a tab, and the error if it was refused; an empty line; then what INFO and CLUSTER INFO show
local key, channel = KEYS[1], ARGV[1]
local lines = {}

-- Errors about the data are none: the command is permitted.
local function try(name, ...)
  local reply = redis.pcall(...)
  local wrong = type(reply) == 'table' and reply.err or ''
  table.insert(lines, name .. '\t' .. string.gsub(wrong, '%c', ' '))
  return wrong == ''
end

-- First: a server out of memory refuses no write behind another one.
try('set', 'SET', key, '1', 'XX', 'PX', '1000')
local removes = try('del', 'DEL', key)
try('time', 'TIME')
try('exists', 'EXISTS', key)
try('get', 'GET', key)
try('pexpire', 'PEXPIRE', key, '1000')
try('pttl', 'PTTL', key)
try('zadd', 'ZADD', key, 'XX', '1', 'm')
try('zcard', 'ZCARD', key)
try('zrange', 'ZRANGE', key, '0', '0')
try('zrank', 'ZRANK', key, 'm')
try('zrem', 'ZREM', key, 'm')
try('zscore', 'ZSCORE', key, 'm')
try('zpopmin', 'ZPOPMIN', key)
if removes then
  try('hset', 'HSET', key, 'f', '1')
  -- Servers before 5 refuse to write after a command such as TIME.
  redis.pcall('DEL', key)
end
try('hget', 'HGET', key, 'f')
try('hdel', 'HDEL', key, 'f')
try('hlen', 'HLEN', key)
try('hmget', 'HMGET', key, 'f')
try('hgetall', 'HGETALL', key)
try('pexpireat', 'PEXPIREAT', key, '1')
try('publish', 'PUBLISH', channel, 'doctor')
try('pubsub', 'PUBSUB', 'NUMSUB', channel)
try('scan', 'SCAN', '0', 'COUNT', '1')
try('info', 'INFO', 'server')
table.insert(lines, '')
for _, question in ipairs({ { 'INFO' }, { 'CLUSTER', 'INFO' } }) do
  local shown = redis.pcall(unpack(question))
  if type(shown) == 'string' then
    table.insert(lines, shown)
  end
end
return table.concat(lines, '\n')
