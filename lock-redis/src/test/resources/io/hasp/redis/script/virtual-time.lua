-- Stands before a script in QueueSimulation: time is what the last key says, and what the script does to time and channels is kept.
--   v:expiries  zset of key -> when it expires, in ms     v:channels  channels with a listener
--   v:done      list of what the last script did: published, channel, message; or stored, holder, what is stored of it
local real = redis
local us = tonumber(table.remove(KEYS))
local ms = math.floor(us / 1000)

local function number(value)
  return string.format('%.0f', value)
end

real.call('DEL', 'v:done')
for _, key in ipairs(real.call('ZRANGEBYSCORE', 'v:expiries', '-inf', '(' .. number(ms))) do
  real.call('DEL', key)
  real.call('ZREM', 'v:expiries', key)
end

local function expire(key, at)
  if real.call('EXISTS', key) == 0 then
    return 0
  end
  real.call('ZADD', 'v:expiries', number(at), key)
  return 1
end

local commands = {
  TIME = function()
    return { number(math.floor(us / 1000000)), number(us % 1000000) }
  end,
  PEXPIRE = function(key, ttl, how)
    local at = real.call('ZSCORE', 'v:expiries', key)
    if how == 'GT' and not (at and tonumber(at) < ms + tonumber(ttl)) then
      return 0
    end
    return expire(key, ms + tonumber(ttl))
  end,
  PEXPIREAT = function(key, at)
    return expire(key, tonumber(at))
  end,
  PTTL = function(key)
    if real.call('EXISTS', key) == 0 then
      return -2
    end
    local at = real.call('ZSCORE', 'v:expiries', key)
    return at and tonumber(at) - ms or -1
  end,
  SET = function(key, value, unit, ttl)
    if key == KEYS[1] then
      real.call('RPUSH', 'v:done', 'stored', string.match(value, '^1|([^|]+)|'), value)
    end
    real.call('SET', key, value)
    real.call('ZREM', 'v:expiries', key)
    if unit == 'PX' then
      expire(key, ms + tonumber(ttl))
    end
    return { ok = 'OK' }
  end,
  PUBLISH = function(channel, message)
    real.call('RPUSH', 'v:done', 'published', channel, message)
    return real.call('SISMEMBER', 'v:channels', channel)
  end,
  PUBSUB = function(_, channel)
    return { channel, real.call('SISMEMBER', 'v:channels', channel) }
  end,
}

local function dispatch(how, command, ...)
  local instead = commands[command]
  if instead then
    return instead(...)
  end
  local arguments = { ... }
  if command == 'HSET' and arguments[1] == KEYS[1] then
    for i = 2, #arguments, 2 do
      if arguments[i] ~= '.' then
        real.call('RPUSH', 'v:done', 'stored', arguments[i], arguments[i + 1])
      end
    end
  end
  local reply = real[how](command, ...)
  -- A key that has become empty is gone, and its expiry with it.
  if (command == 'DEL' or command == 'HDEL' or command == 'ZREM' or command == 'ZPOPMIN') and real.call('EXISTS', arguments[1]) == 0 then
    real.call('ZREM', 'v:expiries', arguments[1])
  end
  return reply
end

local redis = setmetatable({
  call = function(...)
    return dispatch('call', ...)
  end,
  pcall = function(...)
    return dispatch('pcall', ...)
  end,
}, { __index = real })
