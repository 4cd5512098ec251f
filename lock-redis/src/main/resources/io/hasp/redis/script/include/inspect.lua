-- For the scripts that show locks to operators, behind start.lua. They only read.
-- Reply lines of fields with tabs between them. The first line is the server's clock in µs. Then, for each lock that was read:
--       F  text: the keys hold something else                                                    N  the lock is free, without waiters
--       L  capacity  newest token or 0  number of waiters; and behind it the holders and the waiters
--       H  holder  token or 0  weight  H held, K may be kept, R retained  begin in µs or -  ms left or -  label
--       W  holder  weight  begin in µs or -  label
-- include failure.lua
-- include mark.lua
-- include listens.lua
-- include master.lua

-- ARGV 1 the most waiters that are shown of a lock  2 the number of entries after which no further lock is read: the caller asks again
local MOST, ENOUGH = tonumber(ARGV[1]), tonumber(ARGV[2])
-- Dead waiters that are skipped at most, to find a live one.
local DEAD = 1000
time = redis.call('TIME')
local us = time[1] * 1000000 + time[2]
local ms = math.floor(us / 1000)
local lines, spent, alive = { text(us) }, 0, {}

local function line(...)
  table.insert(lines, table.concat({ ... }, '\t'))
end

local function plain(words)
  return (string.gsub(words, '%c', '?'))
end

-- Tokens and tickets are the clock at their beginning, unless the clock was behind the one before.
local function begin(number)
  local at = tonumber(number)
  return at and at <= us and at > 1000000000000000 and text(at) or '-'
end

local function left(number)
  return number >= 0 and text(number) or '-'
end

-- Error replies that are about a key's type concern one lock; any other one ends the call.
local function refused(reply)
  return type(reply) == 'table' and reply.err and not string.find(reply.err, 'WRONGTYPE', 1, true) and reply
end

local function foreign(key, content)
  line('F', plain('FOREIGN ' .. key .. ' holds ' .. string.sub(content, 1, 40) .. ', not a lock'))
end

-- The first live waiters, and the number of those that are not known to be dead. The third result is an error that ends the call.
local function live_waiters(queue, waiters)
  local total, shown, from = redis.pcall('ZCARD', queue), {}, 0
  if type(total) == 'table' then
    return shown, 0, refused(total)
  end
  local waits = total
  while from < total and #shown == 0 and from < DEAD do
    local heads, names = redis.call('ZRANGE', queue, from, from + MOST - 1, 'WITHSCORES'), {}
    for i = 1, #heads, 2 do
      table.insert(names, heads[i])
    end
    local entries = #names > 0 and redis.pcall('HMGET', waiters, unpack(names)) or {}
    if entries.err then
      return {}, 0, refused(entries)
    end
    for i, name in ipairs(names) do
      local entry = entries[i] or ''
      local seen, weight, channel, label = string.match(entry, '^(%d+)|(%d+)|([^|]*)|(.*)$')
      if not seen then
        seen, channel, label = string.match(entry, '^(%d+)|([^|]*)|(.*)$')
      end
      if seen and alive[channel] == nil then
        alive[channel] = listens(channel)
      end
      if seen and tonumber(seen) >= ms and alive[channel] and string.match(name, '^[%w%-]+$') then
        table.insert(shown, { name, weight, begin(heads[2 * i]), plain(unmarked(label)) })
      else
        waits = waits - 1
      end
    end
    from = from + MOST
    spent = spent + #names
  end
  return shown, #shown > 0 and waits or 0
end

local function show(capacity, newest, holders, waiters, waits)
  if #holders == 0 and #waiters == 0 then
    line('N')
    return
  end
  line('L', text(capacity), newest, text(waits))
  for _, holder in ipairs(holders) do
    line('H', unpack(holder))
  end
  for _, waiter in ipairs(waiters) do
    line('W', waiter[1], waiter[2] or '1', waiter[3], waiter[4])
  end
  spent = spent + #holders
end
