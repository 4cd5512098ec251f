-- The error in a reply of redis.pcall, or nil. It names the key if that is of another type.
local function failure(reply, key)
  if type(reply) ~= 'table' or not reply.err then
    return nil
  end
  if string.find(reply.err, 'WRONGTYPE', 1, true) then
    return redis.error_reply('WRONGTYPE ' .. key .. ' is of another type than Hasp keeps there')
  end
  return reply
end
