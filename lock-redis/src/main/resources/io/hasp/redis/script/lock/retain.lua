-- Ends a grant for its holder and leaves the lock taken for a fixed time, under a holder id that no client uses. So a late renewal
-- prolongs nothing.
-- KEYS  as in state.lua
-- ARGV  1 holder  2 time in ms  3 bury, as in release.lua
-- Reply RELEASED or NOT_HELD
-- include start.lua
-- include failure.lua

local me, ms, bury = unpack(ARGV)
value = redis.pcall('GET', KEYS[1])
local wrong = failure(value, KEYS[1])
if wrong and not string.find(wrong.err, 'WRONGTYPE', 1, true) then
  return wrong
end
local owner, rest = string.match(not wrong and value or '', '^1|([%w%-]+)(|.*)$')
local held = owner == me
-- The first write is never one that a server out of memory refuses, and there always is one (see take.lua).
redis.call('PEXPIRE', held and KEYS[1] or KEYS[5], held and ms or text(MEMORY))
if held then
  redis.call('SET', KEYS[1], '1|' .. me .. '-over' .. rest, 'PX', ms)
end
if bury == '1' then
  redis.call('SET', KEYS[5], '1', 'PX', text(MEMORY))
end
return held and 'RELEASED' or 'NOT_HELD'
