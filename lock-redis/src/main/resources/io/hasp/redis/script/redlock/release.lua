-- Ends what a holder has on one node: its grant, its place in the queue, or an attempt that is still under way; then the lock is
-- kept for the first live waiter. Or only drops the grant of an attempt that found no majority.
-- KEYS  as in redlock/state.lua
-- ARGV  1 holder  2 bury: 1 if a request of this holder may still arrive, which must then find it GONE; else 0
--       3 drop: 1 to give back no more than the grant, and wake nobody; else 0
-- Reply RELEASED or NOT_HELD; with + if there are so many dead waiters that it has to be sent again to serve the rest
-- include start.lua
local me, bury, drop = unpack(ARGV)
local mine = 'R1|' .. me .. '|'
value = redis.pcall('GET', KEYS[1])
waiting = redis.pcall('ZCARD', KEYS[3])
local held = type(value) == 'string' and string.sub(value, 1, #mine) == mine
local spoilt = held and type(waiting) == 'table'
waiting = spoilt and 0 or waiting
-- include redlock/state.lua
-- A holder needs counter and waiters only to grant the lock to the next; any other caller gets the error of these keys.
if not held or waiting > 0 then
  spoilt = spoilt or failure(redis.pcall('HLEN', WAITERS), WAITERS) or (held or not owner) and read_counter()
end
if spoilt and not held then
  return spoilt
end

-- The first write is never one that a server out of memory refuses.
if held then
  redis.call('DEL', LOCK)
elseif drop == '0' then
  -- The holder of the lock is not in the queue.
  redis.call('ZREM', QUEUE, me)
  redis.call('HDEL', WAITERS, me)
end
-- If counter, queue or waiters were overwritten, no waiter can be granted the lock; it is still free.
local _, more
if drop == '0' and waiting > 0 and not spoilt and (held or not owner) then
  _, more = next_waiter('', MOST)
end
if bury == '1' then
  redis.call('SET', TOMBSTONE, '1', 'PX', text(MEMORY))
end
return (held and 'RELEASED' or 'NOT_HELD') .. (more and '+' or '')
