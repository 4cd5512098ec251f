-- The holders of a shared lock and its queue, included after shared/lock.lua. Changes are collected, and written by `commit`. `spoilt` is
-- the error if counter, queue or waiters are foreign: no waiter can then be granted the lock, but a holder can release it.
-- include waiters.lua

-- One script deals with this many waiters at most.
local MOST = 100
local last, stored = 0, till
-- The token that `me` is granted, and the newest.
local taken, newest
local records, news = {}, {}
waiting = waiting or redis.pcall('ZCARD', QUEUE)
local entries = redis.pcall('HLEN', WAITERS)
local unqueued = failure(waiting, QUEUE) or failure(entries, WAITERS)
if unqueued then
  waiting = 0
end
-- include counter.lua
local spoilt = unqueued or read_counter()

local function record(holder, until_ms, asked, weight, number, meta)
  table.insert(records, holder)
  table.insert(records, text(until_ms) .. '|' .. asked .. '|' .. text(weight) .. '|' .. number .. '|' .. meta)
  soonest = math.min(soonest, until_ms)
  till = math.max(till, until_ms)
end

local function grant(holder, asked, ttl, weight, meta)
  last = math.max(last + 1, us)
  newest = text(last)
  used = used + weight
  record(holder, ms + ttl, asked, weight, newest, meta)
  lastHolder = holder
end

-- Removes the records that are over. All are looked at only from `soonest` on; or if the counter was lost, for the newest token.
local function purge()
  if not head or (ms < soonest and last > 0) then
    return
  end
  local all, over = redis.call('HGETALL', LOCK), {}
  used, soonest = 0, NEVER
  for i = 1, #all, 2 do
    local finish, weight, number = string.match(all[i + 1], '^(%d+)|[CH]|(%d+)|(%d+)|')
    finish = tonumber(finish)
    if finish and finish <= ms then
      table.insert(over, all[i])
    elseif finish then
      used = used + weight
      soonest = math.min(soonest, finish)
      last = math.max(last, tonumber(number))
    end
  end
  for i = 1, #over, MOST do
    redis.call('HDEL', LOCK, unpack(over, i, math.min(#over, i + MOST - 1)))
  end
end

-- A head that lives and does not fit keeps all others out. So it must not live for long without a sign, and those behind it must notice
-- when it stops; but a waiter that has just come from far behind asks rarely. Those near the front are called: they ask now, and often
-- from then on. A waiter that does not ask within a claim is passed over. No grant has the token 0, so the message is only a call.
local function call_front(me)
  local front = redis.call('ZRANGE', QUEUE, 0, NEAR - 1)
  local entries, shortened, calls = redis.call('HMGET', WAITERS, unpack(front)), {}, {}
  for i, waiter in ipairs(front) do
    local seen, entry, channel = string.match(entries[i] or '', '^(%d+)(|%d+|([^|]*)|.*)$')
    if seen and waiter ~= me and tonumber(seen) > ms + ENTRY then
      table.insert(shortened, waiter)
      table.insert(shortened, text(ms + CLAIM) .. entry)
      table.insert(calls, { channel, waiter .. '|0|' .. CLAIM .. '|' .. LOCK })
    end
  end
  -- A server out of memory may refuse it: then their lives end later.
  if calls[1] and type(redis.pcall('HSET', WAITERS, unpack(shortened))) == 'number' then
    for _, call in ipairs(calls) do
      table.insert(news, call)
    end
  end
end

-- Grants the lock to the waiters at the front, as long as they fit; no waiter passes a live one. `me` lives, and is granted what it asks
-- for. While nothing is free, no waiter is looked at, dead or alive. True if some waiters are left that could have been served.
local function serve(me, lease, weight, meta)
  local gone, alive, batch, stop, far = {}, {}, 1, false, false
  while #gone < math.min(waiting, MOST) and not stop and used < capacity do
    -- And the one behind them.
    local heads = redis.call('ZRANGE', QUEUE, #gone, math.min(#gone + batch, MOST))
    local told = redis.call('HMGET', WAITERS, unpack(heads))
    for i = 1, math.min(#heads, batch, MOST - #gone) do
      local next_one = heads[i]
      local seen, weighed, channel, note = string.match(told[i] or '', '^(%d+)|(%d+)|([^|]*)|(.*)$')
      if channel and alive[channel] == nil then
        alive[channel] = listens(channel)
      end
      local lives = next_one == me or channel and tonumber(seen) >= ms and alive[channel]
      local asks = next_one == me and weight or tonumber(weighed)
      stop = lives and used + asks > capacity
      if stop then
        -- An entry that lives longer than one near the front is that of a waiter that asks rarely.
        local behind = told[i + 1] and string.match(told[i + 1], '^%d+')
        far = seen and tonumber(seen) > ms + ENTRY or behind and tonumber(behind) > ms + ENTRY
        break
      end
      table.insert(gone, next_one)
      if next_one == me then
        grant(me, 'H', lease, weight, meta)
        taken = newest
      elseif lives then
        grant(next_one, 'C', CLAIM, asks, note)
        table.insert(news, { channel, next_one .. '|' .. newest .. '|' .. CLAIM .. '|' .. LOCK })
      end
    end
    batch = batch * 2
  end
  if #gone > 0 then
    redis.call('ZREM', QUEUE, unpack(gone))
    redis.call('HDEL', WAITERS, unpack(gone))
    waiting = waiting - #gone
  end
  if far then
    call_front(me)
  end
  return not stop and used < capacity and waiting > 0
end

-- Writes what has changed. New holders are notified last: they trust the message, so the grant must be written by then.
local function commit()
  if used == 0 and waiting == 0 then
    redis.call('DEL', LOCK)
  else
    local now = '2|' .. text(capacity) .. '|' .. text(used) .. '|' .. text(used > 0 and soonest or 0) .. '|' .. text(till)
    if now ~= head or #records > 0 then
      redis.call('HSET', LOCK, '.', now, unpack(records))
    end
    if till ~= stored then
      redis.call('PEXPIREAT', LOCK, text(till))
    end
  end
  if newest then
    redis.call('SET', COUNTER, '1|' .. newest .. '|' .. lastHolder, 'PX', text(memory(till - ms, last)))
  end
  for _, message in ipairs(news) do
    if message[1] ~= '' then
      redis.pcall('PUBLISH', message[1], message[2])
    end
  end
end
