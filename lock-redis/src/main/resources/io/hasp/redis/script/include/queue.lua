-- The queue of one exclusive lock on one server, included after a file that has read the lock: `us`, `ms` and `waiting` are set, `grant`
-- gives the lock to a waiter, and `news` is the part of its message besides the names of holder and lock.
-- include waiters.lua

-- One script drops about this many dead waiters at most, because the server serves no other request until it ends.
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
      -- The message is sent last: the waiter trusts it, so the grant must be written by then.
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
