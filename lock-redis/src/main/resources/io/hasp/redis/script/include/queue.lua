-- The queue of one exclusive lock on one server, behind a file that has read the lock: `us`, `ms` and `waiting` are set, `grant` is
-- what gives the lock to a waiter, and `news` what the waiter is told of it beside the names of holder and lock.
-- include waiters.lua

-- About so many dead waiters are dropped by one script at most, because the server serves nobody else meanwhile.
local MOST = 100

-- The lock is free: grants it to the first live waiter. True if that is `me`, or there is none. The second result is true if more than
-- `most` dead ones were dropped and others are behind them: then the lock is still free.
local function next_waiter(me, most)
  local dropped = 0
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
    dropped = dropped + 1
    if most and dropped > most and waiting > 0 then
      return false, true
    end
  end
  return true
end
