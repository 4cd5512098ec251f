-- Takes a share of a lock, confirms a direct grant, or queues. The waiters that come before it and fit are served first.
-- KEYS  as in shared/lock.lua
-- ARGV  1 holder  2 lease in ms  3 queue: 1 or 0  4 channel that wakes the holder, may be empty  5 meta  6 weight  7 capacity
--       8 ticket, if it has one
-- Reply as that of lock/acquire.lua. The newest token in BUSY is the counter's, never that of some holder
-- include start.lua
-- include listens.lua

local me, lease, queue, channel, meta, weight, wanted, ticket = unpack(ARGV)
lease, weight, wanted = tonumber(lease), tonumber(weight), tonumber(wanted)
local LOCK, COUNTER, QUEUE, WAITERS, TOMBSTONE = unpack(KEYS)
local found = redis.pcall('HMGET', LOCK, '.', me)
-- 4 or more if and only if there is a tombstone: it counts as often as it is named.
present = redis.call('EXISTS', LOCK, QUEUE, WAITERS, TOMBSTONE, TOMBSTONE, TOMBSTONE, TOMBSTONE)
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local ms = math.floor(us / 1000)

-- The common cases first, at half the time on the server: the claim fits and there are no waiters, or nothing is free, so it queues.
-- Anything unusual is left to the rest of the script.
if present < 4 and not found[2] and not found.err then
  local capacity, used, soonest, till =
    string.match(found[1] or '2|' .. ARGV[7] .. '|0|9007199254740992|0', '^2|(%d+)|(%d+)|(%d+)|(%d+)$')
  if capacity == ARGV[7] and ms < tonumber(soonest) then
    used, soonest, till = tonumber(used), tonumber(soonest), tonumber(till)
    counted = redis.pcall('GET', COUNTER)
    local number = string.match(type(counted) == 'string' and counted or not (counted or found[1]) and '1|0|-' or '', '^1|(%d+)|[%w%-]+$')
    if number and tonumber(number) < us and present == (found[1] and 1 or 0) and used + weight <= wanted then
      local ends, token = ms + lease, text(us)
      local last = math.max(ends, till)
      redis.call('HSET', LOCK,
        '.', '2|' .. capacity .. '|' .. used + weight .. '|' .. text(math.min(ends, soonest)) .. '|' .. text(last),
        me, text(ends) .. '|H|' .. ARGV[6] .. '|' .. token .. '|' .. meta)
      redis.call('PEXPIREAT', LOCK, text(last))
      redis.call('SET', COUNTER, '1|' .. token .. '|' .. me, 'PX', text(last - ms + MEMORY))
      return 'GRANTED|' .. token
    end
    if number and used >= wanted and queue == '1' and not ticket and till >= ms + 2 * ENTRY then
      local rear, place = redis.pcall('ZRANGE', QUEUE, -1, -1, 'WITHSCORES'), text(us)
      if not rear.err and us > tonumber(rear[2] or 0)
        and listens(channel)
        and type(redis.pcall('HSET', WAITERS, me, text(ms + ENTRY) .. '|' .. ARGV[6] .. '|' .. channel .. '|' .. meta)) == 'number' then
        if redis.call('ZADD', QUEUE, 'NX', place, me) == 0 then
          place = redis.call('ZSCORE', QUEUE, me)
        end
        if not rear[1] or redis.call('PTTL', WAITERS) < 2 * ENTRY then
          redis.call('PEXPIRE', QUEUE, 4 * ENTRY)
          redis.call('PEXPIRE', WAITERS, 4 * ENTRY)
        end
        -- To know how many are before it would cost one command more, and most are served before they ask again.
        local poll = rear[1] and POLL or math.min(POLL, soonest - ms + 1)
        return 'BUSY|' .. place .. '|' .. text(poll) .. '|' .. number
      end
    end
  end
end

-- include shared/lock.lua
-- include shared/holders.lua
if spoilt then
  return spoilt
end
if present >= 4 then
  return 'GONE'
end
if not head and waiting > 0 then
-- include shared/exclusive.lua
end
if stale then
  redis.call('DEL', LOCK)
end

purge()
if ends and ends > ms then
  -- Only ever lengthens: a late request must not shorten what was renewed since.
  record(me, math.max(ends, ms + lease), 'H', weighs, token, meta)
  -- The first write, because a server out of memory does not refuse it.
  redis.call('PEXPIRE', COUNTER, text(memory(till - ms, last)))
  commit()
  return 'GRANTED|' .. token
end

local more
repeat
  more = serve(me, lease, weight, meta)
  -- To one that asks once, a free lock must not look busy, however many dead are in front of it; the others soon ask again.
until queue == '1' or newest or not more
if not taken and waiting == 0 and used + weight <= capacity then
  grant(me, 'H', lease, weight, meta)
  taken = newest
end
if taken then
  commit()
  return 'GRANTED|' .. taken
end
if queue == '0' then
  -- A write, so that a read-only or broken server answers with its error and never with "busy".
  redis.call('DEL', TOMBSTONE)
  commit()
  return 'BUSY||' .. text(POLL)
end

-- A waiter whose channel has no listener gets no message. It finds its grant by a poll only, within the claim.
local deaf = not listens(channel)
channel = deaf and '' or channel
local longest = channel == '' and POLL or LONGEST_POLL
local place, before, refusal = enter(me, text(weight) .. '|' .. channel .. '|' .. meta, ticket, longest)
if refusal then
  return refusal
end
waiting = waiting + 1
local poll = poll_behind(before, longest)
local life = poll * ENTRY / POLL
if till < ms + 2 * life then
  till = ms + 4 * life
end
commit()
if before == 0 then
  poll = math.min(poll, soonest - ms + 1)
end
return 'BUSY|' .. place .. '|' .. text(more and 1 or poll) .. '|' .. text(last) .. notes(false, deaf)
