-- Phase one of an acquisition, on one node: takes the lock here, or queues. A free lock serves the queue's head first.
-- KEYS  as in redlock/state.lua
-- ARGV  1 holder  2 lease in ms  3 queue: 1 or 0  4 channel that wakes the holder, may be empty  5 meta  6 ticket, if it has one
-- Reply GRANTED|1 if it had it already, else 0|largest token here|its holder|clock in µs,
--       BUSY|owner|ms until this ends by itself|ticket; without owner if the lock is free behind so many dead waiters that it
--       has to be asked again; or GONE: this holder is over
-- include start.lua
-- include redlock/state.lua

local refused = read_counter()
if refused then
  return refused
end
local me, lease, queue, channel, meta, ticket = unpack(ARGV)
lease = tonumber(lease)

local function granted(already)
  return 'GRANTED|' .. already .. '|' .. last .. '|' .. lastHolder .. '|' .. text(us)
end

if owner == me then
  if state == 'C' then
    grant(me, 'H', lease, meta)
    return granted(0)
  end
  -- Only ever lengthens: a late request must not shorten what was renewed since.
  redis.call('PEXPIRE', LOCK, text(math.max(lease, redis.call('PTTL', LOCK))))
  return granted(1)
end
if redis.call('EXISTS', TOMBSTONE) == 1 then
  return 'GONE'
end

local more
if not owner then
  refused = failure(redis.pcall('HLEN', WAITERS), WAITERS)
  if refused then
    return refused
  end
  local mine
  -- To one that asks once, a free lock must not look busy, however many dead are in front of it.
  mine, more = next_waiter(me, queue == '1' and MOST or nil)
  if mine then
    grant(me, 'H', lease, meta)
    return granted(0)
  end
end

if queue == '1' then
  -- This script does not set the clients' poll intervals.
  local place, _, spoilt = enter(me, channel .. '|' .. meta, ticket, POLL)
  if spoilt then
    return spoilt
  end
  ticket = place
else
  -- A write, so that a read-only or broken server answers with its error and never with "busy".
  redis.call('DEL', TOMBSTONE)
end
if more then
  return 'BUSY||1|' .. ticket
end
return 'BUSY|' .. owner .. '|' .. text(redis.call('PTTL', LOCK)) .. '|' .. (ticket or '')
