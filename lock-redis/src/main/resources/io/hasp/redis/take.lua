-- The slow half of acquire.lua and transfer.lua, behind state.lua: ARGV and replies as in acquire.lua.
local me, lease, queue, channel, meta, ticket = unpack(ARGV)
lease = tonumber(lease)

if owner == me then
  redis.call('PEXPIRE', COUNTER, memory(lease, last))
  -- Only ever lengthens: a late request must not shorten what was renewed since.
  local ttl = text(math.max(lease, redis.call('PTTL', LOCK)))
  if state == 'C' then
    redis.call('SET', LOCK, '1|' .. me .. '|H|' .. token .. '|' .. meta, 'PX', ttl)
  else
    redis.call('PEXPIRE', LOCK, ttl)
  end
  return 'GRANTED|' .. token
end
if lastHolder == me or redis.call('EXISTS', TOMBSTONE) == 1 then
  return 'GONE'
end

redis.call('HLEN', WAITERS)
if not owner and next_waiter(me) then
  grant(me, 'H', lease, meta)
  return 'GRANTED|' .. text(last)
end

if queue == '0' then
  -- A write, so that a read-only or broken server answers with its error and never with "busy".
  redis.call('DEL', TOMBSTONE)
  return 'BUSY||' .. text(POLL)
end

ticket = enter(me, channel, meta, ticket)
local poll = POLL
if redis.call('ZRANK', QUEUE, me) == 0 then
  local left = redis.call('PTTL', LOCK)
  if left >= 0 then
    poll = math.min(POLL, left + 1)
  end
end
return 'BUSY|' .. ticket .. '|' .. text(poll) .. '|' .. text(last)
