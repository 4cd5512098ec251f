-- For the scripts that renew: `us` is set.

-- The counter must outlive late requests of the holder, and every token and floor that is ahead of the clock. What is no counter
-- is left alone: the lock is still its holder's.
local function prolong_counter(key, ttl, token)
  local counter = redis.pcall('GET', key)
  local newest = type(counter) == 'string' and string.match(counter, '^1|(%d+)|[%w%-]+$')
  if newest then
    local ahead = math.max(tonumber(token), tonumber(newest)) - us
    redis.call('PEXPIRE', key, text(ttl + MEMORY + math.max(0, math.ceil(ahead / 1000))))
  end
end
