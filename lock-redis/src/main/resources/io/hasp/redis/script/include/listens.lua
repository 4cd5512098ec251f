-- False if no client listens for the waiter. Where it can't be woken, or we may not ask, its own poll finds the grant. (A node of a
-- cluster counts its own listeners only; so clients listen at every master.)
local function listens(channel)
  if channel == '' then
    return true
  end
  local count = redis.pcall('PUBSUB', 'NUMSUB', channel)[2]
  return not count or tonumber(count) > 0
end
