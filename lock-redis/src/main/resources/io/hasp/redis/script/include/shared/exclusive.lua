-- Nobody holds or waits for a share, but somebody waits for something: refused if a live one of the next waits for an exclusive lock,
-- whose entries have no weight; or if there are more behind them that may live.
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
