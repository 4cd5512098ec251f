-- The body of release.lua and remove.lua, behind start.lua.
-- include listens.lua

local me, bury = unpack(ARGV)
local LOCK, COUNTER, QUEUE, WAITERS, TOMBSTONE = unpack(KEYS)
local found = redis.pcall('HMGET', LOCK, '.', me)
local front = redis.pcall('ZRANGE', QUEUE, 0, 0)
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
-- cases end here, at half the time on the server: the holder has its share, and there are no waiters, or the first one takes all that
-- is free.
if found[1] and found[2] and not front.err then
  local capacity, used, soonest, till = string.match(found[1], '^2|(%d+)|(%d+)|(%d+)|(%d+)$')
  local ends, weighs = string.match(found[2], '^(%d+)|[CH]|(%d+)|')
  local next_one = front[1]
  if capacity and ends and not next_one then
    if used == weighs then
      redis.call('DEL', LOCK)
    else
      redis.call('HDEL', LOCK, me)
      redis.call('HSET', LOCK, '.', '2|' .. capacity .. '|' .. text(used - weighs) .. '|' .. soonest .. '|' .. till)
    end
    return buried(tonumber(ends) > ms and 'RELEASED' or 'NOT_HELD')
  elseif capacity and ends and ms < tonumber(soonest) then
    local entry = redis.pcall('HGET', WAITERS, next_one)
    counted = redis.pcall('GET', COUNTER)
    local seen, weighed, channel, note = string.match(type(entry) == 'string' and entry or '', '^(%d+)|(%d+)|([^|]+)|(.*)$')
    local number = string.match(type(counted) == 'string' and counted or '', '^1|(%d+)|[%w%-]+$')
    if seen and number and tonumber(number) < us and tonumber(seen) >= ms and used - weighs + weighed == tonumber(capacity)
      and listens(channel) then
      local finish, token = ms + CLAIM, text(us)
      local last = math.max(finish, tonumber(till))
      redis.call('HDEL', LOCK, me)
      redis.call('ZREM', QUEUE, next_one)
      redis.call('HDEL', WAITERS, next_one)
      redis.call('HSET', LOCK,
        '.', '2|' .. capacity .. '|' .. capacity .. '|' .. text(math.min(finish, tonumber(soonest))) .. '|' .. text(last),
        next_one, text(finish) .. '|C|' .. weighed .. '|' .. token .. '|' .. note)
      if last > tonumber(till) then
        redis.call('PEXPIREAT', LOCK, text(last))
      end
      redis.call('SET', COUNTER, '1|' .. token .. '|' .. next_one, 'PX', text(last - ms + MEMORY))
      redis.pcall('PUBLISH', channel, next_one .. '|' .. token .. '|' .. CLAIM .. '|' .. LOCK)
      return buried(tonumber(ends) > ms and 'RELEASED' or 'NOT_HELD')
    end
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
