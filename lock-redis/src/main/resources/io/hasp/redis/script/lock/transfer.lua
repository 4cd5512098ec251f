-- Releases one holder's lock and requests it for another holder of the same client, in one flight. Waiters are served first, so
-- the new holder gets the lock only if there are none.
-- KEYS  as in state.lua, the tombstone being that of the new holder
-- ARGV  1 to 5 as in acquire.lua for the new holder  6 the holder that gives up
-- Reply RELEASED or NOT_HELD, which is what became of the holder that gives up, then | and the reply as in acquire.lua
-- include start.lua
-- include state.lua

local refused = read_counter() or failure(redis.pcall('HLEN', WAITERS), WAITERS)
if refused then
  return refused
end
local held = owner == table.remove(ARGV, 6)
if held then
  redis.call('DEL', LOCK)
  owner = nil
end

local buried = redis.call('EXISTS', TOMBSTONE) == 1
local function take()
-- include take.lua
end
local reply = take()
if type(reply) == 'table' then
  return reply
end
return (held and 'RELEASED|' or 'NOT_HELD|') .. reply
