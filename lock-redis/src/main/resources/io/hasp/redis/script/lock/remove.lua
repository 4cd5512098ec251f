-- Ends a grant for an operator, if this holder has it with this token; and serves the queue. The client of the holder may keep the lock
-- without a use, so it is recalled.
-- KEYS  as in state.lua
-- ARGV  1 holder  2 bury, as in release.lua  3 token
-- Reply as that of release.lua
-- include start.lua
do
-- include mark.lua
  local found = redis.pcall('GET', KEYS[1])
  local owner, number, note = string.match(type(found) == 'string' and found or '', '^1|([%w%-]+)|[CH]|(%d+)|(.*)$')
  if owner ~= ARGV[1] or number ~= ARGV[3] then
    -- A write, so that a read-only server answers with its error.
    redis.call('PEXPIRE', KEYS[5], text(MEMORY))
    return 'NOT_HELD'
  end
  recall(KEYS[1], owner, note)
end
-- include release.lua
