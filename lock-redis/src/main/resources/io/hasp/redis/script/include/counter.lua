-- The counter of tokens, one for all kinds of a name, behind a file that has set COUNTER, `us` and `last`: the newest token that
-- is known without it.

local lastHolder

-- Reads the counter; returns an error if it is none. Not needed where another holder has an exclusive lock: it is the last one,
-- its token the newest.
local function read_counter()
  local counter = counted
  if counter == nil then
    counter = redis.pcall('GET', COUNTER)
  end
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

-- How long the counter must be kept so that it outlives late requests of its last holder, and a token ahead of the clock.
local function memory(ttl, newest)
  return ttl + MEMORY + math.max(0, math.ceil((newest - us) / 1000))
end
