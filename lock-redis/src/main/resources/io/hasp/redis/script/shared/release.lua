-- Ends all that a holder has: its share, a place in the queue, or an attempt that is still under way; and serves the queue.
-- KEYS  as in shared/lock.lua
-- ARGV  1 holder  2 bury: 1 if an acquire of this holder may still arrive, which must then find it GONE; else 0
-- Reply RELEASED or NOT_HELD; with + if there are so many waiters that it has to be sent again to serve the rest
-- include start.lua

local me, bury = unpack(ARGV)
local LOCK, COUNTER, QUEUE, WAITERS, TOMBSTONE = unpack(KEYS)
local found = redis.pcall('HMGET', LOCK, '.', me)
waiting = redis.pcall('ZCARD', QUEUE)
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local ms = math.floor(us / 1000)

local function buried(reply)
  if bury == '1' then
    redis.call('SET', TOMBSTONE, '1', 'PX', text(MEMORY))
  end
  return reply
end

-- The first write is never one that a server out of memory refuses, and there always is one (see shared/acquire.lua). The common
-- case ends here, at half the time on the server: the holder has its share and there are no waiters.
if found[1] and found[2] and waiting == 0 then
  local capacity, used, soonest, till = string.match(found[1], '^2|(%d+)|(%d+)|(%d+)|(%d+)$')
  local ends, weighs = string.match(found[2], '^(%d+)|[CH]|(%d+)|')
  if capacity and ends then
    if used == weighs then
      redis.call('DEL', LOCK)
    else
      redis.call('HDEL', LOCK, me)
      redis.call('HSET', LOCK, '.', '2|' .. capacity .. '|' .. text(used - weighs) .. '|' .. soonest .. '|' .. till)
    end
    return buried(tonumber(ends) > ms and 'RELEASED' or 'NOT_HELD')
  end
end

local wanted
-- include shared/lock.lua
-- include shared/holders.lua
if unqueued and not ends then
  return unqueued
end
if ends then
  redis.call('HDEL', LOCK, me)
  used = used - weighs
else
  waiting = waiting - redis.call('ZREM', QUEUE, me)
  redis.call('HDEL', WAITERS, me)
end
local more
if head then
  -- If counter, queue or waiters were overwritten, no waiter can be granted the lock; the share is still free.
  if not spoilt then
    purge()
    more = serve('')
  end
  commit()
end
return buried((ends and ends > ms and 'RELEASED' or 'NOT_HELD') .. (more and '+' or ''))
