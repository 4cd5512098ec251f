-- Prolongs up to 100 grants in one call. Never shortens one.
-- KEYS  lock and counter of each grant in turn
-- ARGV  holder and lease in ms of each grant in turn
-- Reply one character for each grant: 1 prolonged, 0 another holder or none has it, ! the key is not a lock of layout 1
-- include start.lua
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local replies = {}
for i = 1, #ARGV, 2 do
  local value = redis.pcall('GET', KEYS[i])
  local foreign = false
  if type(value) == 'table' then
    foreign = string.find(value.err, 'WRONGTYPE', 1, true)
    if not foreign then
      return value
    end
  end
  local owner, token
  if value and not foreign then
    owner, token = string.match(value, '^1|([%w%-]+)|[CH]|(%d+)|')
    foreign = not owner
  end
  if foreign then
    table.insert(replies, '!')
  elseif owner ~= ARGV[i] then
    table.insert(replies, '0')
  else
    local lease = tonumber(ARGV[i + 1])
    redis.call('PEXPIRE', KEYS[i], text(math.max(lease, redis.call('PTTL', KEYS[i]))))
    redis.call('PEXPIRE', KEYS[i + 1], text(lease + MEMORY + math.max(0, math.ceil((token - us) / 1000))))
    table.insert(replies, '1')
  end
end
return table.concat(replies)
