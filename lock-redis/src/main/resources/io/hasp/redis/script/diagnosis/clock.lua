-- Reply the server's clock in µs.
-- KEYS  1 any key of this server
local time = redis.call('TIME')
return string.format('%.0f', time[1] * 1000000 + time[2])
