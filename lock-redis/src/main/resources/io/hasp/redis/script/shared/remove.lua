-- Ends a share for an operator, if this holder has it with this token; and serves the queue.
-- KEYS  as in shared/lock.lua
-- ARGV  1 holder  2 bury, as in release.lua  3 token
-- Reply as that of shared/release.lua
-- include start.lua
do
  local record = redis.pcall('HGET', KEYS[1], ARGV[1])
  local number = string.match(type(record) == 'string' and record or '', '^%d+|[CH]|%d+|(%d+)|')
  if number ~= ARGV[3] then
    -- A write, so that a read-only server answers with its error.
    redis.call('PEXPIRE', KEYS[5], text(MEMORY))
    return 'NOT_HELD'
  end
end
-- include shared/release.lua
