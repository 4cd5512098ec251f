-- Who waits for a lock on one server, behind a file that has read the lock: `us`, `ms` and `waiting` are set.

-- False if no client listens for the waiter. Where it can't be woken, or we may not ask, its own poll finds the grant. (The count
-- is exact on one server only; a cluster will have to grant in any case.)
local function listens(channel)
  if channel == '' then
    return true
  end
  local count = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
  return not count or tonumber(count) > 0
end

-- Takes a place in the queue, the old one if there is a ticket, and counts as alive from now on. `entry` is what is stored of
-- the waiter besides. Returns the ticket and whether it is the first; or nil, false and the error of what is written first,
-- because it may turn out to be no hash.
local function enter(me, entry, ticket)
  local wrong = failure(redis.pcall('HSET', WAITERS, me, text(ms + ENTRY) .. '|' .. entry), WAITERS)
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
  -- One that was evicted has come back without an expiry.
  if waiting == 0 or redis.call('PTTL', WAITERS) < 2 * ENTRY then
    redis.call('PEXPIRE', QUEUE, 4 * ENTRY)
    redis.call('PEXPIRE', WAITERS, 4 * ENTRY)
  end
  return place, before == 0
end
