-- The slow half of acquire.lua and transfer.lua: ARGV and replies as in acquire.lua. Behind state.lua; the counter has been read
-- unless another holder has the lock, and `buried` says whether there is a tombstone.
local me, lease, queue, channel, asked, ticket = unpack(ARGV)
lease = tonumber(lease)

-- Says what is so on the server, not what was asked: others may have wanted the lock since.
local function granted()
  return 'GRANTED|' .. token .. (marked(asked) and not marked(label) and '|W' or '')
end

if owner == me then
  -- Only ever lengthens: a late request must not shorten what was renewed since, nor the counter that renewals leave out.
  local ttl = math.max(lease, redis.call('PTTL', LOCK))
  redis.call('PEXPIRE', COUNTER, text(math.max(memory(ttl, last), redis.call('PTTL', COUNTER))))
  ttl = text(ttl)
  if state == 'C' then
    redis.call('SET', LOCK, '1|' .. me .. '|H|' .. token .. '|' .. label, 'PX', ttl)
  else
    redis.call('PEXPIRE', LOCK, ttl)
  end
  return granted()
end
if lastHolder == me or buried then
  return 'GONE'
end

local more
if not owner then
  wrong = failure(redis.pcall('HLEN', WAITERS), WAITERS)
  if wrong then
    return wrong
  end
  local mine
  -- To one that asks once, a free lock must not look busy, however many dead are in front of it; the others soon ask again.
  mine, more = next_waiter(me, queue == '1' and MOST or nil)
  if mine then
    grant(me, 'H', lease, asked)
    return granted()
  end
end

if queue == '0' then
  -- A write, so that a read-only or broken server answers with its error and never with "busy".
  redis.call('DEL', TOMBSTONE)
  return recall(LOCK, owner, label) and 'BUSY||1||^' or 'BUSY||' .. text(POLL)
end

-- A waiter whose channel has no listener gets no message. It finds its grant by a poll only, within the claim.
local deaf = not listens(channel)
channel = deaf and '' or channel
local longest = channel == '' and POLL or LONGEST_POLL
local place, before, refusal = enter(me, channel .. '|' .. asked, ticket, longest)
if refusal then
  return refusal
end
local poll = poll_behind(before, longest)
if more then
  poll = 1
elseif before == 0 then
  local left = redis.call('PTTL', LOCK)
  if left >= 0 then
    poll = math.min(poll, left + 1)
  end
end
return 'BUSY|' .. place .. '|' .. text(poll) .. '|' .. text(last) .. notes(owner and recall(LOCK, owner, label), deaf)
