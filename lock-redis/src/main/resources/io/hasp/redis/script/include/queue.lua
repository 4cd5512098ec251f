-- The queue of one lock on one server, behind a file that has read the lock: `us`, `ms` and `waiting` are set, `grant` is what
-- gives the lock to a waiter, and `news` what the waiter is told of it beside the names of holder and lock.

-- False if no client listens for the waiter. Where it can't be woken, or we may not ask, its own poll finds the grant. (The count
-- is exact on one server only; a cluster will have to grant in any case.)
local function listens(channel)
  if channel == '' then
    return true
  end
  local count = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
  return not count or tonumber(count) > 0
end

-- The lock is free: grants it to the first live waiter. True if that is `me`, or there is none.
local function next_waiter(me)
  while waiting > 0 do
    local head = redis.call('ZPOPMIN', QUEUE)[1]
    if not head then
      return true
    end
    waiting = waiting - 1
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

-- Takes a place in the queue, the old one if there is a ticket, and counts as alive from now on. Returns the ticket and
-- whether it is the first; or nil, false and the error of what is written first, because it may turn out to be no hash.
local function enter(me, channel, meta, ticket)
  local wrong = failure(redis.pcall('HSET', WAITERS, me, text(ms + ENTRY) .. '|' .. channel .. '|' .. meta), WAITERS)
  if wrong then
    return nil, false, wrong
  end
  local place, entered = ticket, false
  if ticket then
    redis.call('ZADD', QUEUE, ticket, me)
  else
    place = text(us)
    entered = redis.call('ZADD', QUEUE, 'NX', place, me) == 1
    if not entered then
      place = redis.call('ZSCORE', QUEUE, me)
    end
  end
  local before = waiting > 0 and redis.call('ZRANK', QUEUE, me) or 0
  if entered and before < waiting then
    -- The clock went back, or stands still.
    place = text(redis.call('ZRANGE', QUEUE, -1, -1, 'WITHSCORES')[2] + 1)
    redis.call('ZADD', QUEUE, place, me)
    before = waiting
  end
  if waiting == 0 or redis.call('PTTL', QUEUE) < 2 * ENTRY then
    redis.call('PEXPIRE', QUEUE, 4 * ENTRY)
    redis.call('PEXPIRE', WAITERS, 4 * ENTRY)
  end
  return place, before == 0
end
