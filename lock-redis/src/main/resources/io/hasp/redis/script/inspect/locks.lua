-- Shows locks to an operator: their holders and waiters, without those that are over or dead.
-- KEYS  lock, counter, queue and waiters of each lock in turn, as in ../state.lua and ../shared/lock.lua
-- ARGV and reply as in ../inspect.lua
-- include start.lua
-- include inspect.lua

local function exclusive(lock, found)
  local owner, token, label = string.match(found, '^1|([%w%-]+)|[CH]|(%d+)|(.*)$')
  if not owner then
    return nil
  end
  local state = string.sub(owner, -5) == '-over' and 'R' or marked(label) and 'K' or 'H'
  local ends = redis.call('PTTL', lock)
  -- It has ended since it was read.
  return ends == -2 and {} or { { owner, token, '1', state, begin(token), left(ends), plain(unmarked(label)) } }
end

local function shared(records)
  local holders, capacity = {}, nil
  for i = 1, #records, 2 do
    local holder, record = records[i], records[i + 1]
    if holder == '.' then
      capacity = tonumber(string.match(record, '^2|(%d+)|%d+|%d+|%d+$'))
    else
      local ends, weight, token, label = string.match(record, '^(%d+)|[CH]|(%d+)|(%d+)|(.*)$')
      if ends and tonumber(ends) > ms and string.match(holder, '^[%w%-]+$') then
        table.insert(holders, { holder, token, weight, 'H', begin(token), left(tonumber(ends) - ms), plain(unmarked(label)) })
      end
    end
  end
  return capacity and holders, capacity
end

-- Without a holder, the waiters say what the name is going to be.
local function of_waiters(waiters, capacity)
  local least = 1
  for _, waiter in ipairs(waiters) do
    if waiter[2] then
      least = math.max(least, capacity or 1, tonumber(waiter[2]))
    end
  end
  return least
end

local function newest_token(counter, holders)
  local newest = string.match(type(counter) == 'string' and counter or '', '^1|(%d+)|[%w%-]+$') or '0'
  for _, holder in ipairs(holders) do
    if tonumber(holder[2]) > tonumber(newest) then
      newest = holder[2]
    end
  end
  return newest
end

-- Returns an error that ends the call, or nil.
local function read(lock, counter, queue, waiters)
  local found, holders, capacity = redis.pcall('GET', lock), {}, nil
  if refused(found) then
    return found
  end
  if type(found) == 'string' then
    holders, capacity = exclusive(lock, found), 1
  elseif found then
    found = redis.pcall('HGETALL', lock)
    if refused(found) then
      return found
    end
    if found.err then
      foreign(lock, 'another type')
      return nil
    end
    holders, capacity = shared(found)
    found = 'a hash'
  end
  if not holders then
    foreign(lock, found)
    return nil
  end
  local waiting_ones, waits, wrong = live_waiters(queue, waiters)
  local counted = redis.pcall('GET', counter)
  if wrong or refused(counted) then
    return wrong or counted
  end
  if #holders == 0 then
    capacity = of_waiters(waiting_ones, capacity)
  end
  show(capacity, newest_token(counted, holders), holders, waiting_ones, waits)
  return nil
end

local stale = no_master()
if stale then
  return stale
end
for i = 1, #KEYS, 4 do
  local wrong = read(KEYS[i], KEYS[i + 1], KEYS[i + 2], KEYS[i + 3])
  if wrong then
    return wrong
  end
  spent = spent + 5
  if spent >= ENOUGH then
    break
  end
end
return table.concat(lines, '\n')
