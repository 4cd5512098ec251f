-- Prolongs up to 100 grants in one call, and lowers those whose weight here is smaller than what is stored. Never shortens one, and
-- never raises one: a late renewal from before it was lowered would.
-- KEYS  lock, counter, queue and waiters of each grant in turn; or lock and counter only, and then no grant is lowered; or the locks
--       only, and then counters are left to their memory
-- ARGV  holder, lease in ms and weight of each grant in turn
-- Reply one character for each grant: 1 prolonged, 0 the holder has no share, ! the key is not a lock of layout 2
-- include start.lua
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local ms = math.floor(us / 1000)
-- include prolong.lua

local function lower(LOCK, COUNTER, QUEUE, WAITERS, me, weight)
  waiting = nil
  local found = redis.call('HMGET', LOCK, '.', me)
  local wanted
-- include shared/lock.lua
-- include shared/holders.lua
  if not spoilt then
    purge()
  end
  used = used - weighs + weight
  record(me, ends, mark, weight, token, label)
  if not spoilt then
    serve('')
  end
  commit()
end

local EACH = #KEYS / (#ARGV / 3)

local function renew(at, me, lease, weight)
  local lock, counter = KEYS[at], KEYS[at + 1]
  local found = redis.pcall('HMGET', lock, '.', me)
  if found.err then
    return string.find(found.err, 'WRONGTYPE', 1, true) and '!' or found
  end
  local layout, till = string.match(found[1] or '', '^(2|%d+|%d+|%d+|)(%d+)$')
  local ends, mark, weighs, token, label = string.match(found[2] or '', '^(%d+)|([CH])|(%d+)|(%d+)|(.*)$')
  if not layout and (found[1] or redis.call('EXISTS', lock) == 1) or found[2] and not ends then
    return '!'
  end
  if not ends or tonumber(ends) <= ms then
    return '0'
  end
  ends = math.max(tonumber(ends), ms + lease)
  local last = math.max(tonumber(till), ends)
  -- The first write, because a server out of memory does not refuse it.
  redis.call('PEXPIREAT', lock, text(last))
  redis.call('HSET', lock, '.', layout .. text(last), me, text(ends) .. '|' .. mark .. '|' .. weighs .. '|' .. token .. '|' .. label)
  if EACH == 4 and weight < tonumber(weighs) then
    lower(lock, counter, KEYS[at + 2], KEYS[at + 3], me, weight)
  end
  if EACH > 1 then
    prolong_counter(counter, last - ms, token)
  end
  return '1'
end

local replies = {}
for i = 1, #ARGV / 3 do
  local reply = renew(EACH * (i - 1) + 1, ARGV[3 * i - 2], tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]))
  if type(reply) == 'table' then
    return reply
  end
  table.insert(replies, reply)
end
return table.concat(replies)
