-- Ends what a holder has on one node: its grant, its place in the queue, or an attempt that is still under way; then the lock is
-- kept for the first live waiter. Or only drops the grant of an attempt that found no majority.
-- KEYS  as in redlock/state.lua
-- ARGV  1 holder  2 bury: 1 if a request of this holder may still arrive, which must then find it GONE; else 0
--       3 drop: 1 to release no more than the grant, and wake no waiter; else 0
--       of a waiter that drops its grant and goes on waiting: 4 ticket  5 channel  6 meta. Then the first of the queue gets the grant
-- Reply RELEASED or NOT_HELD; with + if there are so many dead waiters that it has to be sent again to serve the rest;
--       or KEPT: the waiter is the first of the queue itself, and the lock is kept for it
-- include start.lua
local me, bury, drop, ticket, channel, meta = unpack(ARGV)
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
local kept = false
if ticket and held and not spoilt then
  kept = waiting == 0
  if not kept and enter(me, channel .. '|' .. meta, ticket, POLL) then
    waiting = waiting + 1
    kept, more = next_waiter(me, MOST)
  end
  if kept then
    grant(me, 'C', CLAIM, meta)
    return 'KEPT'
  end
end
if bury == '1' then
  redis.call('SET', TOMBSTONE, '1', 'PX', text(MEMORY))
end
return (held and 'RELEASED' or 'NOT_HELD') .. (more and '+' or '')
