-- Shared by the commands of Redlock that touch the queue, behind start.lua: reads one lock on one of its nodes and refuses what is
-- not one before anything is written. Read docs/guarantees/redlock.md for the protocol.
-- KEYS  1 lock     string  R1|holder|C or H|meta   C kept for the waiter whose turn it is, H granted; expires with claim or lease
--       2 counter  string  R1|token|holder         the largest token acknowledged here, and for whom
--       3 queue, 4 waiters, 5 tombstone of the holder in ARGV[1]: as in ../state.lua
-- include failure.lua
local LOCK, COUNTER, QUEUE, WAITERS, TOMBSTONE = unpack(KEYS)

time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local ms = math.floor(us / 1000)
if value == nil then
  value = redis.pcall('GET', LOCK)
end
waiting = waiting or redis.pcall('ZCARD', QUEUE)
local wrong = failure(value, LOCK) or failure(waiting, QUEUE)
if wrong then
  return wrong
end

local owner, state
if value then
  owner, state = string.match(value, '^R1|([%w%-]+)|([CH])|')
  if not owner then
    return redis.error_reply('FOREIGN ' .. LOCK .. ' holds ' .. string.sub(value, 1, 40) .. ', not a Redlock of layout 1')
  end
end

-- Reads the counter; returns an error if it is none.
local last, lastHolder
local function read_counter()
  local counter = redis.pcall('GET', COUNTER)
  if type(counter) == 'table' then
    return failure(counter, COUNTER)
  end
  last, lastHolder = string.match(counter or 'R1|0|-', '^R1|(%d+)|([%w%-]+)$')
  return not last
    and redis.error_reply('FOREIGN ' .. COUNTER .. ' holds ' .. string.sub(counter, 1, 40) .. ', not a Redlock counter of layout 1')
end

local function grant(holder, mark, ttl, meta)
  redis.call('SET', LOCK, 'R1|' .. holder .. '|' .. mark .. '|' .. meta, 'PX', text(ttl))
  owner = holder
end

local function news()
  return ''
end

-- include queue.lua
