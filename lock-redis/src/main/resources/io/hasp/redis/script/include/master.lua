-- Returns an error if this server is a replica: its locks may be old ones, and the client should take another connection. The second
-- result names the server's data: another master, or this one after a restart, has another name. It is empty if the server hides it.
local function no_master()
  local info = redis.pcall('INFO', 'replication')
  info = type(info) == 'string' and info or ''
  if string.find(info, 'role:slave', 1, true) then
    return redis.error_reply('READONLY this server is a replica, which may show old locks')
  end
  return nil, string.match(info, 'master_replid:(%w+)') or ''
end
