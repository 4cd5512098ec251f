-- Takes the lock, confirms a direct grant, or queues. Any acquire on a free lock serves the queue's head first.
-- KEYS  as in state.lua
-- ARGV  1 holder  2 lease in ms  3 queue: 1 or 0  4 channel that wakes the holder, may be empty  5 label  6 ticket, if it has one
-- Reply GRANTED|token, BUSY|ticket|ms until the next poll|newest token, or GONE: this holder can't be granted any more;
--       without a place in the queue BUSY||ms. GRANTED|token|W if the label has a mark and the lock has not. A fifth field of BUSY
--       has a ^ if the lock is marked and its client was recalled, and a ~ if the channel has no listener: the waiter is then stored
--       without one
-- include start.lua

-- The common case first, at half the time on the server: the lock is free, there are no waiters, the clock is ahead of the counter.
present = redis.call('EXISTS', KEYS[1], KEYS[3], KEYS[5])
if present == 0 then
  counted = redis.pcall('GET', KEYS[2])
  local last, holder = string.match(type(counted) == 'table' and '' or counted or '1|0|-', '^1|(%d+)|([%w%-]+)$')
  time = redis.call('TIME')
  -- The clock in microseconds. To join its two texts takes half the time of a number that becomes a text.
  local token = time[1] .. string.sub('00000' .. time[2], -6)
  if last and tonumber(last) < tonumber(token) and holder ~= ARGV[1] then
    redis.call('SET', KEYS[1], '1|' .. ARGV[1] .. '|H|' .. token .. '|' .. ARGV[5], 'PX', ARGV[2])
    redis.call('SET', KEYS[2], '1|' .. token .. '|' .. ARGV[1], 'PX', text(ARGV[2] + MEMORY))
    return 'GRANTED|' .. token
  end
end

-- include state.lua
local refused = (not owner or owner == ARGV[1]) and read_counter()
if refused then
  return refused
end
local buried = present > (value and 1 or 0) + (waiting > 0 and 1 or 0)
-- include take.lua
