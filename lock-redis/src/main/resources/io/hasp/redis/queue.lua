-- The queue of one lock on one server, behind a file that has read the lock: `us`, `ms` and `waiting` are set, `grant` is what
-- gives the lock to a waiter, and `news` what the waiter is told of it beside the names of holder and lock.

-- False if nobody listens for the waiter. Where it can't be woken, or we may not ask, its own poll finds the grant. (The count
-- is exact on one server only; a cluster will have to grant in any case.)
local function listens(channel)
  if channel == '' then
    return true
  end
  local count = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
  return not count or tonumber(count) > 0
end

-- The lock is free: hands it to the first live waiter. True if that is me, or nobody.
local function next_waiter(me)
  while waiting > 0 do
    local head = redis.call('ZPOPMIN', QUEUE)[1]
    if not head then
      return true
    end
    local entry = redis.call('HGET', WAITERS, head)
    redis.call('HDEL', WAITERS, head)
    if head == me then
      return true
    end
    local seen, channel, meta = string.match(entry or '', '^(%d+)|([^|]*)|(.*)$')
    if seen and tonumber(seen) >= ms and listens(channel) then
      grant(head, 'C', CLAIM, meta)
      -- Told last: a waiter believes what it is told, so it has to be true by then.
      if channel ~= '' then
        redis.pcall('PUBLISH', channel, head .. '|' .. news() .. LOCK)
      end
      return false
    end
  end
  return true
end

-- Takes a place in the queue, the old one if there is a ticket, and counts as alive from now on.
local function enter(me, channel, meta, ticket)
  if not ticket then
    ticket = redis.call('ZSCORE', QUEUE, me)
    if not ticket then
      local tail = redis.call('ZRANGE', QUEUE, -1, -1, 'WITHSCORES')[2]
      ticket = text(math.max(us, tonumber(tail or 0) + 1))
    end
  end
  redis.call('ZADD', QUEUE, ticket, me)
  redis.call('HSET', WAITERS, me, text(ms + ENTRY) .. '|' .. channel .. '|' .. meta)
  redis.call('PEXPIRE', QUEUE, text(4 * ENTRY))
  redis.call('PEXPIRE', WAITERS, text(4 * ENTRY))
  return ticket
end
