-- Makes later tokens larger than a floor. The counter stays until the server's clock, which tokens follow, is past the floor.
-- KEYS  as in state.lua; the tombstone of no holder
-- ARGV  1 floor
-- Reply RAISED; or KEPT, and nothing is raised: the client of a marked lock, whose next token may be below the floor, was recalled
-- include start.lua
value = redis.pcall('GET', KEYS[1])
if type(value) == 'table' then
-- include kind.lua
  -- One counter serves all kinds of lock, and it knows the newest token of a shared one.
  value = not shared_lock(KEYS[1]) and value
end
-- include state.lua
local refused = read_counter()
if refused then
  return refused
end

local floor = tonumber(ARGV[1])
if floor > 9007199254740000 then
  return redis.error_reply('FOREIGN ' .. COUNTER .. ' cannot count beyond the floor ' .. ARGV[1])
end
if owner and floor >= tonumber(token) and marked(label) then
  recall(LOCK, owner, label)
  return 'KEPT'
end
if floor > last then
  local ttl = math.max(0, redis.call('PTTL', LOCK), redis.call('PTTL', COUNTER))
  redis.call('SET', COUNTER, '1|' .. text(floor) .. '|' .. (lastHolder or '-'), 'PX', memory(ttl, floor))
end
return 'RAISED'
