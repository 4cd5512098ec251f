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

local replies = {}
for i = 1, #ARGV, 2 do
  local at = EACH * (i - 1) / 2 + 1
  local lock = KEYS[at]
  value = redis.pcall('GET', lock)
  local wrong = failure(value, lock)
  if wrong and not string.find(wrong.err, 'WRONGTYPE', 1, true) then
    return wrong
  end
  local head, owner, token, label = string.match(not wrong and value or '', '^(1|([%w%-]+)|[CH]|(%d+)|)(.*)$')
  if value and not owner then
    table.insert(replies, '!')
  elseif owner ~= ARGV[i] then
    table.insert(replies, '0')
  else
    local lease, keeps = string.match(ARGV[i + 1], '^(%d+)(%^?)$')
    local ttl = math.max(tonumber(lease), redis.call('PTTL', lock))
    redis.call('PEXPIRE', lock, text(ttl))
    -- Second, because a server out of memory refuses no write behind another one.
    if keeps == '' and marked(label) then
      redis.call('SET', lock, head .. unmarked(label), 'PX', text(ttl))
    end
    if EACH == 2 then
      prolong_counter(KEYS[at + 1], ttl, token)
    end
    table.insert(replies, '1')
  end
end
return table.concat(replies)
