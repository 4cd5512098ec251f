-- Prolongs up to 100 grants in one call. Never shortens one. Takes the mark off a lock that is not going to be kept any more.
-- KEYS  lock and counter of each grant in turn; or the locks only, and then counters are left to their memory
-- ARGV  holder, and lease in ms with a ^ behind it if the grant may be kept, of each grant in turn
-- Reply one character for each grant: 1 prolonged, 0 another holder or none has it, ! the key is not a lock of layout 1
-- include start.lua
-- include failure.lua
-- include mark.lua
-- include prolong.lua

local EACH = #KEYS / (#ARGV / 2)
local call, pcall, find = redis.call, redis.pcall, string.find
-- Servers from 7.0 compare expiries themselves.
local compares = redis.REDIS_VERSION_NUM and redis.REDIS_VERSION_NUM >= 0x70000

-- Returns the time to live in ms. A key without an expiry gets one.
local function prolong(lock, lease)
  local ttl = math.max(tonumber(lease), call('PTTL', lock))
  call('PEXPIRE', lock, text(ttl))
  return ttl
end

-- Prolongs what the reply of GET does not show to be a lock of that holder without a mark and with a shorter expiry.
local function renew_other(at, me, lease)
  local lock = KEYS[at]
  local wrong = failure(value, lock)
  if wrong and not find(wrong.err, 'WRONGTYPE', 1, true) then
    return wrong
  end
  local head, owner, token, label = string.match(not wrong and value or '', '^(1|([%w%-]+)|[CH]|(%d+)|)(.*)$')
  if value and not owner then
    return '!'
  end
  if owner ~= me then
    return '0'
  end
  local keeps = string.sub(lease, -1) == '^'
  local ttl = prolong(lock, keeps and string.sub(lease, 1, -2) or lease)
  -- Second, because a server out of memory refuses no write behind another one.
  if not keeps and marked(label) then
    call('SET', lock, head .. unmarked(label), 'PX', text(ttl))
  end
  if EACH == 2 then
    prolong_counter(KEYS[at + 1], ttl, token)
  end
  return '1'
end

local replies = {}
local count = 0
-- Most leases of a call are equal.
local plain, known
for i = 1, #ARGV, 2 do
  local at = EACH * (i - 1) / 2 + 1
  local me, lease = ARGV[i], ARGV[i + 1]
  value = pcall('GET', KEYS[at])
  local mine = '1|' .. me .. '|'
  local _, head
  if type(value) == 'string' and find(value, mine, 1, true) == 1 then
    _, head = find(value, '^[CH]|%d+|', #mine + 1)
  end
  if lease ~= known then
    known, plain = lease, compares and find(lease, '^%d+$')
  end
  -- Most locks have no mark, and get an expiry beyond the present one.
  if head and plain and not find(value, '^', head, true) and call('PEXPIRE', KEYS[at], lease, 'GT') == 1 then
    if EACH == 2 then
      prolong_counter(KEYS[at + 1], tonumber(lease), string.sub(value, #mine + 3, head - 1))
    end
    count = count + 1
    replies[count] = '1'
  else
    local reply = renew_other(at, me, lease)
    if type(reply) == 'table' then
      return reply
    end
    count = count + 1
    replies[count] = reply
  end
end
return table.concat(replies)
