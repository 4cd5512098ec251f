-- No holder of a share is left, but the queue has waiters. Refuses the request if a live one among the next waits for an exclusive lock,
-- whose entries have no weight, or if more waiters behind them may live.
-- include kind.lua
  local heads, met = redis.call('ZRANGE', QUEUE, 0, MOST - 1), false
  for _, entry in ipairs(redis.call('HMGET', WAITERS, unpack(heads))) do
    local seen, listener = string.match(entry or '', '^(%d+)|([^|]*)|[^|]*$')
    if seen and tonumber(seen) >= ms and listens(listener) then
      return other_kind(LOCK, 1, text(wanted))
    end
    met = met or seen
  end
  if met and waiting > MOST then
    return other_kind(LOCK, 1, text(wanted))
  end
