-- Phase two of an acquisition, on one node: acknowledges a fencing token, if the holder still has the lock here and the token is
-- larger than all that were acknowledged here before. A repeated request is acknowledged again.
-- KEYS  1 lock  2 counter
-- ARGV  1 holder  2 token
-- Reply ACK or REFUSED
-- include start.lua
local me, token = ARGV[1], tonumber(ARGV[2])
local owner = string.match(redis.call('GET', KEYS[1]) or '', '^R1|([%w%-]+)|H|')
local last, lastHolder = string.match(redis.call('GET', KEYS[2]) or 'R1|0|-', '^R1|(%d+)|([%w%-]+)$')

if owner ~= me then
  return 'REFUSED'
end
if not last or token < tonumber(last) or (token == tonumber(last) and lastHolder ~= me) then
  return 'REFUSED'
end
-- It outlives the lease, late requests of this holder, and a token that is ahead of the clock here.
time = redis.call('TIME')
local ahead = math.max(0, math.ceil((token - time[1] * 1000000 - time[2]) / 1000))
redis.call('SET', KEYS[2], 'R1|' .. ARGV[2] .. '|' .. me, 'PX', text(redis.call('PTTL', KEYS[1]) + MEMORY + ahead))
return 'ACK'
