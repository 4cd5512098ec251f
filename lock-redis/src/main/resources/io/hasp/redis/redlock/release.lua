-- Ends what a holder has on one node: its grant, its place in the queue, or an attempt that is still under way; then the lock is
-- kept for the first live waiter. Or only drops the grant of an attempt that found no majority.
-- KEYS  as in redlock/state.lua
-- ARGV  1 holder  2 bury: 1 if a request of this holder may still arrive, which must then find it GONE; else 0
--       3 drop: 1 to give back no more than the grant, and wake nobody; else 0
-- Reply RELEASED or NOT_HELD
-- include start.lua
-- include redlock/state.lua
local me, bury, drop = unpack(ARGV)
local held = owner == me

redis.call('HLEN', WAITERS)
-- The first write is never one that a server out of memory refuses.
if held then
  redis.call('DEL', LOCK)
elseif drop == '0' then
  -- Who has the lock is not in the queue.
  redis.call('ZREM', QUEUE, me)
  redis.call('HDEL', WAITERS, me)
end
if drop == '0' and waiting > 0 and (held or not owner) then
  next_waiter('')
end
if bury == '1' then
  redis.call('SET', TOMBSTONE, '1', 'PX', text(MEMORY))
end
return held and 'RELEASED' or 'NOT_HELD'
