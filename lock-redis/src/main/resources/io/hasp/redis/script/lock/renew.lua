-- Prolongs up to 100 grants in one call. Never shortens one. Takes the mark off a lock that is not going to be kept any more.
-- KEYS  lock and counter of each grant in turn; or the locks only, and then counters are left to their memory
-- ARGV  holder, and lease in ms with a ^ behind it if the grant may be kept, of each grant in turn
-- Reply one character for each grant: 1 prolonged, 0 another holder or none has it, ! the key is not a lock of layout 1
-- include start.lua
-- include failure.lua
-- include mark.lua
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]

-- include prolong.lua

local EACH = #KEYS / (#ARGV / 2)
local call, pcall, sub = redis.call, redis.pcall, string.sub
-- Servers from 7.0 compare expiries themselves.
local compares = redis.REDIS_VERSION_NUM and redis.REDIS_VERSION_NUM >= 0x70000

-- Returns the time to live in ms. A key without an expiry gets one.
local function prolong(lock, lease)
  if compares and call('PEXPIRE', lock, lease, 'GT') == 1 then
    return tonumber(lease)
  end
  local ttl = math.max(tonumber(lease), call('PTTL', lock))
  call('PEXPIRE', lock, text(ttl))
  return ttl
end

local function renew(at, me, lease)
  local lock = KEYS[at]
  local mine = '1|' .. me .. '|'
  value = pcall('GET', lock)
  local ours = type(value) == 'string' and sub(value, 1, #mine) == mine
  local _, head = string.find(ours and value or '', '^[CH]|%d+|', #mine + 1)
  if not head then
    local wrong = failure(value, lock)
    if wrong and not string.find(wrong.err, 'WRONGTYPE', 1, true) then
      return wrong
    end
    return value and (wrong or not string.find(value, '^1|[%w%-]+|[CH]|%d+|')) and '!' or '0'
  end
  local keeps = sub(lease, -1) == '^'
  local ttl = prolong(lock, keeps and sub(lease, 1, -2) or lease)
  local label = sub(value, head + 1)
  -- Second, because a server out of memory refuses no write behind another one.
  if not keeps and marked(label) then
    call('SET', lock, sub(value, 1, head) .. unmarked(label), 'PX', text(ttl))
  end
  if EACH == 2 then
    prolong_counter(KEYS[at + 1], ttl, sub(value, #mine + 3, head - 1))
  end
  return '1'
end

local replies = {}
for i = 1, #ARGV / 2 do
  local reply = renew(EACH * (i - 1) + 1, ARGV[2 * i - 1], ARGV[2 * i])
  if type(reply) == 'table' then
    return reply
  end
  replies[i] = reply
end
return table.concat(replies)
