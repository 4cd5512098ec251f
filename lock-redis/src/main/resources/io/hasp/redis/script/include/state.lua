-- Shared by acquire.lua, transfer.lua and release.lua, behind start.lua: reads one lock and refuses what is not one before
-- anything is written, because a failed script is not rolled back. Read docs/guarantees/redis.md for the protocol.
-- KEYS  1 lock     string  1|holder|C or H|token|label  C handed over, H asked for; expires with claim or lease
--       2 counter  string  1|token|last holder          expires when the server's clock is past it anyway
--       3 queue    zset    holder -> ticket
--       4 waiters  hash    holder -> seen until|channel|label
--       5 tombstone of the holder in ARGV[1]
-- A label is mark.lua's mark, if there is one, and a text for people.
-- include failure.lua
-- include mark.lua
local LOCK, COUNTER, QUEUE, WAITERS, TOMBSTONE = unpack(KEYS)

time = time or redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local ms = math.floor(us / 1000)
if value == nil then
  value = redis.pcall('GET', LOCK)
end
waiting = waiting or redis.pcall('ZCARD', QUEUE)
local wrong = failure(value, LOCK)
if wrong then
-- include kind.lua
  local capacity, soonest = shared_lock(LOCK)
  if capacity and in_use(LOCK, QUEUE, WAITERS, soonest, ms) then
    return other_kind(LOCK, capacity, 1)
  end
  if capacity then
    value, wrong, present = false, nil, present and present - 1
  end
end
wrong = wrong or failure(waiting, QUEUE)
if wrong then
  return wrong
end

local owner, state, token, label
if value then
  owner, state, token, label = string.match(value, '^1|([%w%-]+)|([CH])|(%d+)|(.*)$')
  if not owner then
    return redis.error_reply('FOREIGN ' .. LOCK .. ' holds ' .. string.sub(value, 1, 40) .. ', not a lock of layout 1')
  end
end
local last = tonumber(token or 0)

-- include counter.lua

-- A grant that leaves waiters behind is not marked: the waiters want the lock, so no recall is needed.
local function grant(holder, how, ttl, asked)
  last = math.max(last + 1, us)
  owner, token, label = holder, text(last), waiting > 0 and unmarked(asked) or asked
  redis.call('SET', LOCK, '1|' .. owner .. '|' .. how .. '|' .. token .. '|' .. label, 'PX', ttl)
  redis.call('SET', COUNTER, '1|' .. token .. '|' .. holder, 'PX', memory(ttl, last))
end

local function news()
  return token .. '|' .. CLAIM .. (marked(label) and '^|' or '|')
end

-- include queue.lua
