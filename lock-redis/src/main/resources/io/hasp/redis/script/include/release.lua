-- The body of release.lua and remove.lua, behind start.lua.
local me, bury = ARGV[1], ARGV[2]
local mine = '1|' .. me .. '|'
value = redis.pcall('GET', KEYS[1])
waiting = redis.pcall('ZCARD', KEYS[3])
local held = type(value) == 'string' and string.sub(value, 1, #mine) == mine

-- The first write is never one that a server out of memory refuses, and there always is one (see take.lua). The common case
-- ends here, at half the time on the server: the holder has the lock and there are no waiters.
if held and waiting == 0 then
  redis.call('DEL', KEYS[1])
  if bury == '1' then
    redis.call('SET', KEYS[5], '1', 'PX', text(MEMORY))
  end
  return 'RELEASED'
end

local spoilt = held and type(waiting) == 'table'
waiting = spoilt and 0 or waiting
local shared
if type(value) == 'table' then
-- include kind.lua
  shared = shared_lock(KEYS[1])
  -- At most a place in the queue is left of this holder.
  value = not shared and value
end
-- include state.lua
spoilt = spoilt or failure(redis.pcall('HLEN', WAITERS), WAITERS) or (held or not (owner or shared)) and read_counter()
if spoilt and not held then
  return spoilt
end
if held then
  redis.call('DEL', LOCK)
else
  -- The holder of the lock is not in the queue.
  redis.call('ZREM', QUEUE, me)
  redis.call('HDEL', WAITERS, me)
end
-- If counter, queue or waiters were overwritten, no waiter can be granted the lock; it is still free.
local _, more
if not spoilt and (held or not (owner or shared)) then
  _, more = next_waiter('', MOST)
end
if bury == '1' then
  redis.call('SET', TOMBSTONE, '1', 'PX', text(MEMORY))
end
return (held and 'RELEASED' or 'NOT_HELD') .. (more and '+' or '')
