-- For the scripts that renew.

-- Milliseconds that the counter gets beyond its need. A client whose renewal prolonged it leaves it out for less than half of that.
local SPARE = 300000

-- The counter must outlive late requests of the holder, and every token and floor that is ahead of the clock. The command that gave it a
-- token or a floor has seen to the latter, and its expiry never comes nearer. What is no counter is left alone: the lock is still its
-- holder's.
local function prolong_counter(key, ttl, token)
  local left = redis.call('PTTL', key)
  if left == -2 or left >= ttl + MEMORY + SPARE / 2 then
    return
  end
  local counter = redis.pcall('GET', key)
  local newest = type(counter) == 'string' and string.match(counter, '^1|(%d+)|[%w%-]+$')
  if newest then
    time = time or redis.call('TIME')
    local ahead = math.max(tonumber(token), tonumber(newest)) - time[1] * 1000000 - time[2]
    redis.call('PEXPIRE', key, text(ttl + MEMORY + SPARE + math.max(0, math.ceil(ahead / 1000))))
  end
end
