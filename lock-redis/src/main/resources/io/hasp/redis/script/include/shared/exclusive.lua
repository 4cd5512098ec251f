-- Nobody holds or waits for a share, but somebody waits for something: refused if a live one of the next waits for an exclusive lock,
-- whose entries have no weight.
-- include kind.lua
  local heads = redis.call('ZRANGE', QUEUE, 0, MOST - 1)
  for _, entry in ipairs(redis.call('HMGET', WAITERS, unpack(heads))) do
    local seen, listener = string.match(entry or '', '^(%d+)|([^|]*)|[^|]*$')
    if seen and tonumber(seen) >= ms and listens(listener) then
      return other_kind(LOCK, 1, text(wanted))
    end
  end
