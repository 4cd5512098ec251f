-- As it was before locks could have a mark, for the tests with clients of that version.
local POLL, CLAIM, ENTRY, MEMORY = 500, 1250, 1750, 60000
local function text(number)
  return string.format('%.0f', number)
end
local value, waiting, time, present
local me, bury = unpack(ARGV)
local mine = '1|' .. me .. '|'
value = redis.pcall('GET', KEYS[1])
waiting = redis.pcall('ZCARD', KEYS[3])
local held = type(value) == 'string' and string.sub(value, 1, #mine) == mine
if held and waiting == 0 then
  redis.call('DEL', KEYS[1])
  if bury == '1' then
    redis.call('SET', KEYS[5], '1', 'PX', text(MEMORY))
  end
  return 'RELEASED'
end
local spoilt = held and type(waiting) == 'table'
waiting = spoilt and 0 or waiting
local shared
if type(value) == 'table' then
local function shared_lock(lock)
  local head = redis.pcall('HGET', lock, '.')
  return string.match(type(head) == 'string' and head or '', '^2|(%d+)|%d+|(%d+)|%d+$')
end
local function in_use(lock, queue, soonest, ms)
  if tonumber(soonest) > ms or redis.pcall('ZCARD', queue) ~= 0 then
    return true
  end
  local records = redis.pcall('HGETALL', lock)
  for i = 2, #records, 2 do
    local ends = string.match(records[i], '^(%d+)|[CH]|')
    if ends and tonumber(ends) > ms then
      return true
    end
  end
  return records.err ~= nil
end
local function other_kind(lock, capacity, wanted)
  return redis.error_reply('KIND ' .. lock .. ' has capacity ' .. capacity .. ', not ' .. wanted)
end
  shared = shared_lock(KEYS[1])
  value = not shared and value
end
local function failure(reply, key)
  if type(reply) ~= 'table' or not reply.err then
    return nil
  end
  if string.find(reply.err, 'WRONGTYPE', 1, true) then
    return redis.error_reply('WRONGTYPE ' .. key .. ' is of another type than Hasp keeps there')
  end
  return reply
end
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
local function shared_lock(lock)
  local head = redis.pcall('HGET', lock, '.')
  return string.match(type(head) == 'string' and head or '', '^2|(%d+)|%d+|(%d+)|%d+$')
end
local function in_use(lock, queue, soonest, ms)
  if tonumber(soonest) > ms or redis.pcall('ZCARD', queue) ~= 0 then
    return true
  end
  local records = redis.pcall('HGETALL', lock)
  for i = 2, #records, 2 do
    local ends = string.match(records[i], '^(%d+)|[CH]|')
    if ends and tonumber(ends) > ms then
      return true
    end
  end
  return records.err ~= nil
end
local function other_kind(lock, capacity, wanted)
  return redis.error_reply('KIND ' .. lock .. ' has capacity ' .. capacity .. ', not ' .. wanted)
end
  local capacity, soonest = shared_lock(LOCK)
  if capacity and in_use(LOCK, QUEUE, soonest, ms) then
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
local owner, state, token
if value then
  owner, state, token = string.match(value, '^1|([%w%-]+)|([CH])|(%d+)|')
  if not owner then
    return redis.error_reply('FOREIGN ' .. LOCK .. ' holds ' .. string.sub(value, 1, 40) .. ', not a lock of layout 1')
  end
end
local last = tonumber(token or 0)
local lastHolder
local function recall()
  local counter = redis.pcall('GET', COUNTER)
  if type(counter) == 'table' then
    return failure(counter, COUNTER)
  end
  if counter then
    local newest
    newest, lastHolder = string.match(counter, '^1|(%d+)|([%w%-]+)$')
    if not newest then
      return redis.error_reply('FOREIGN ' .. COUNTER .. ' holds ' .. string.sub(counter, 1, 40) .. ', not a counter of layout 1')
    end
    last = math.max(last, tonumber(newest))
  end
  return last > 9007199254740000 and redis.error_reply('FOREIGN ' .. COUNTER .. ' has reached the largest token')
end
local function memory(ttl, newest)
  return ttl + MEMORY + math.max(0, math.ceil((newest - us) / 1000))
end
local function grant(holder, mark, ttl, meta)
  last = math.max(last + 1, us)
  token = text(last)
  redis.call('SET', LOCK, '1|' .. holder .. '|' .. mark .. '|' .. token .. '|' .. meta, 'PX', ttl)
  redis.call('SET', COUNTER, '1|' .. token .. '|' .. holder, 'PX', memory(ttl, last))
end
local function news()
  return token .. '|' .. CLAIM .. '|'
end
local function listens(channel)
  if channel == '' then
    return true
  end
  local count = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
  return not count or tonumber(count) > 0
end
local function enter(me, entry, ticket)
  local wrong = failure(redis.pcall('HSET', WAITERS, me, text(ms + ENTRY) .. '|' .. entry), WAITERS)
  if wrong then
    return nil, false, wrong
  end
  local place, entered = ticket, false
  if ticket then
    redis.call('ZADD', QUEUE, ticket, me)
  else
    place = text(us)
    entered = redis.call('ZADD', QUEUE, 'NX', place, me) == 1
    if not entered then
      place = redis.call('ZSCORE', QUEUE, me)
    end
  end
  local before = waiting > 0 and redis.call('ZRANK', QUEUE, me) or 0
  if entered and before < waiting then
    place = text(redis.call('ZRANGE', QUEUE, -1, -1, 'WITHSCORES')[2] + 1)
    redis.call('ZADD', QUEUE, place, me)
    before = waiting
  end
  if waiting == 0 or redis.call('PTTL', QUEUE) < 2 * ENTRY then
    redis.call('PEXPIRE', QUEUE, 4 * ENTRY)
    redis.call('PEXPIRE', WAITERS, 4 * ENTRY)
  end
  return place, before == 0
end
local function next_waiter(me)
  while waiting > 0 do
    local head = redis.call('ZPOPMIN', QUEUE)[1]
    if not head then
      return true
    end
    waiting = waiting - 1
    local entry = redis.call('HGET', WAITERS, head)
    redis.call('HDEL', WAITERS, head)
    if head == me then
      return true
    end
    local seen, channel, meta = string.match(entry or '', '^(%d+)|([^|]*)|(.*)$')
    if seen and tonumber(seen) >= ms and listens(channel) then
      grant(head, 'C', CLAIM, meta)
      if channel ~= '' then
        redis.pcall('PUBLISH', channel, head .. '|' .. news() .. LOCK)
      end
      return false
    end
  end
  return true
end
spoilt = spoilt or failure(redis.pcall('HLEN', WAITERS), WAITERS) or (held or not (owner or shared)) and recall()
if spoilt and not held then
  return spoilt
end
if held then
  redis.call('DEL', LOCK)
else
  redis.call('ZREM', QUEUE, me)
  redis.call('HDEL', WAITERS, me)
end
if not spoilt and (held or not (owner or shared)) then
  next_waiter('')
end
if bury == '1' then
  redis.call('SET', TOMBSTONE, '1', 'PX', text(MEMORY))
end
return held and 'RELEASED' or 'NOT_HELD'
