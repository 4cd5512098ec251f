-- Which kind of lock a key is at present: kinds refuse each other by its type. Included only where the type was found to be
-- another one.

-- The capacity of the shared lock in a key, and a moment before which none of its holders ends; nil if it is none.
local function shared_lock(lock)
  local head = redis.pcall('HGET', lock, '.')
  return string.match(type(head) == 'string' and head or '', '^2|(%d+)|%d+|(%d+)|%d+$')
end

-- include listens.lua

-- True if a waiter of a shared lock lives, or if the first hundred do not decide it.
local function awaited(queue, waiters, ms)
  local heads = redis.pcall('ZRANGE', queue, 0, 99)
  local entries = heads[1] and redis.pcall('HMGET', waiters, unpack(heads)) or heads
  for _, entry in ipairs(entries) do
    local seen, channel = string.match(entry or '', '^(%d+)|%d+|([^|]*)|')
    if seen and tonumber(seen) >= ms and listens(channel) then
      return true
    end
  end
  return entries.err or #heads == 100
end

-- True if a shared lock has a holder or a waiter. An idle name has no kind, even if data of it is still stored.
local function in_use(lock, queue, waiters, soonest, ms)
  if tonumber(soonest) > ms or awaited(queue, waiters, ms) then
    return true
  end
  local records = redis.pcall('HGETALL', lock)
  for i = 2, #records, 2 do
    local ends = string.match(records[i], '^(%d+)|[CH]|')
    if ends and tonumber(ends) > ms then
      return true
    end
  end
  return records.err ~= nil
end

local function other_kind(lock, capacity, wanted)
  return redis.error_reply('KIND ' .. lock .. ' has capacity ' .. capacity .. ', not ' .. wanted)
end
