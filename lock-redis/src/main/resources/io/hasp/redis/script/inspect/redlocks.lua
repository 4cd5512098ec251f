-- As inspect/locks.lua, for the locks of Redlock on one of its nodes.
-- KEYS  lock, counter, queue and waiters of each lock in turn, as in ../redlock/state.lua
-- ARGV and reply as in ../inspect.lua. The token of a holder is 0 if it is not acknowledged here
-- include start.lua
-- include inspect.lua

-- Returns an error that ends the call, or nil.
local function read(lock, counter, queue, waiters)
  local found, counted = redis.pcall('GET', lock), redis.pcall('GET', counter)
  if refused(found) or refused(counted) then
    return refused(found) or counted
  end
  local owner, label = string.match(type(found) == 'string' and found or '', '^R1|([%w%-]+)|H|(.*)$')
  local kept = string.match(type(found) == 'string' and found or '', '^R1|[%w%-]+|C|')
  if found and not owner and not kept then
    foreign(lock, type(found) == 'string' and found or 'another type')
    return nil
  end
  local newest, whose = string.match(type(counted) == 'string' and counted or '', '^R1|(%d+)|([%w%-]+)$')
  local holders, ends = {}, owner and redis.call('PTTL', lock) or -2
  if ends ~= -2 then
    local token = whose == owner and newest or '0'
    holders[1] = { owner, token, '1', 'H', begin(token), left(ends), plain(label) }
  end
  local waiting_ones, waits, wrong = live_waiters(queue, waiters)
  if wrong then
    return wrong
  end
  show(1, newest or '0', holders, waiting_ones, waits)
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
