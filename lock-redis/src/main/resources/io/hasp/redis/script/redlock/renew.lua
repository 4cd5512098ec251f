-- Prolongs up to 100 grants on one node, never shortening one, and writes their tokens again. A node that does not know the lock
-- (it was down, or forgot) takes it over, if no other holder has it here and no larger token was acknowledged; that does not count as
-- prolonged.
-- KEYS  lock, counter and tombstone of each grant in turn
-- ARGV  meta, then holder, lease in ms and token of each grant in turn
-- Reply one character for each grant: 1 prolonged, + taken over, 0 another holder has it or had it since, ! a key is not of layout 1
-- include start.lua
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]

-- The text of a key, '' if there is none, nil if it is of another type. Other errors are not about one grant.
local function read(key)
  local found = redis.pcall('GET', key)
  if type(found) ~= 'table' then
    return found or ''
  end
  return nil, not string.find(found.err, 'WRONGTYPE', 1, true) and found
end

local replies = {}
for i = 0, (#ARGV - 1) / 3 - 1 do
  local lock, counter, tombstone = KEYS[3 * i + 1], KEYS[3 * i + 2], KEYS[3 * i + 3]
  local me, lease, token = ARGV[3 * i + 2], tonumber(ARGV[3 * i + 3]), ARGV[3 * i + 4]
  local found, wrong = read(lock)
  local count, wrongToo = read(counter)
  if wrong or wrongToo then
    return wrong or wrongToo
  end
  local owner = string.match(found or '', '^R1|([%w%-]+)|[CH]|')
  local last = count == '' and 0 or tonumber(string.match(count or '', '^R1|(%d+)|[%w%-]+$'))
  -- A value that is no counter is left alone: the holder keeps the lock, and no other holder can be granted it.
  if found ~= '' and not owner or not owner and not last then
    table.insert(replies, '!')
  elseif owner and owner ~= me or last and last > tonumber(token) then
    table.insert(replies, '0')
  elseif not owner and redis.call('EXISTS', tombstone) == 1 then
    table.insert(replies, '0')
  else
    local memory = lease + MEMORY + math.max(0, math.ceil((token - us) / 1000))
    if owner then
      redis.call('PEXPIRE', lock, text(math.max(lease, redis.call('PTTL', lock))))
      if last then
        redis.call('SET', counter, 'R1|' .. token .. '|' .. me, 'PX', text(memory))
      end
      table.insert(replies, '1')
    elseif redis.pcall('SET', lock, 'R1|' .. me .. '|H|' .. ARGV[1], 'PX', text(lease)).err then
      -- Out of memory; the others of the batch are prolonged all the same.
      table.insert(replies, '0')
    else
      redis.call('SET', counter, 'R1|' .. token .. '|' .. me, 'PX', text(memory))
      table.insert(replies, '+')
    end
  end
end
return table.concat(replies)
