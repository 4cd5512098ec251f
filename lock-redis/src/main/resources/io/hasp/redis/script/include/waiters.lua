-- The waiters of a lock on one server, included after a file that has read the lock: `us`, `ms` and `waiting` are set.

-- include listens.lua

-- The last field of a refusal, or empty: ^ the lock is marked and its client was recalled, ~ the waiter's channel has no listener.
local function notes(recalled, deaf)
  local said = (recalled and '^' or '') .. (deaf and '~' or '')
  return said ~= '' and '|' .. said or ''
end

-- So many waiters are near the front.
local NEAR = 16

-- When a waiter with so many before it asks again: one POLL later for each sixteen of them, because nothing changes for it soon.
-- 2,000 waiters of a lock then ask 460 times a second, not 4,000.
local function poll_behind(before, longest)
  return math.min(POLL * (1 + math.floor(before / NEAR)), longest)
end

-- Takes a place in the queue, the old one if there is a ticket, and counts as alive from now on. `entry` is what is stored of
-- the waiter besides. Returns the ticket and how many are before it; or nil, nil and the error of what is written first, because
-- it may turn out to be no hash.
--
-- `longest` bounds the time between its polls, and so that for which its entry counts as alive: several polls may be lost. A dead waiter
-- that comes to the front costs one claim, however long its entry lives: it is granted the lock for that time, or, where it does not fit
-- beside the holders of a shared lock, has that time to answer a call.
local function enter(me, entry, ticket, longest)
  local before = ticket and waiting > 0 and redis.call('ZRANK', QUEUE, me)
  local life = poll_behind(before or waiting, longest) * ENTRY / POLL
  local wrong = failure(redis.pcall('HSET', WAITERS, me, text(ms + life) .. '|' .. entry), WAITERS)
  if wrong then
    return nil, nil, wrong
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
  before = before or waiting > 0 and redis.call('ZRANK', QUEUE, me) or 0
  if entered and before < waiting then
    -- The clock went back, or stands still.
    place = text(redis.call('ZRANGE', QUEUE, -1, -1, 'WITHSCORES')[2] + 1)
    redis.call('ZADD', QUEUE, place, me)
    before = waiting
  end
  -- One that was evicted has come back without an expiry.
  if waiting == 0 or redis.call('PTTL', WAITERS) < 2 * life then
    redis.call('PEXPIRE', QUEUE, text(4 * life))
    redis.call('PEXPIRE', WAITERS, text(4 * life))
  end
  return place, before
end
