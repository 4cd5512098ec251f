-- Reports a node's view of its cluster. Without keys, so that any node answers.
-- Reply one line with the number of the newest change that the node knows, then for each range of slots a line:
--       first last port host, of their master
local function told(what)
  local reply = redis.pcall('CLUSTER', what)
  return reply, type(reply) == 'table' and reply.err and redis.error_reply(reply.err .. ' (CLUSTER ' .. what .. ')')
end

local info, failed = told('INFO')
if failed then
  return failed
end
local slots, denied = told('SLOTS')
if denied then
  return denied
end
local lines = { string.match(info, 'cluster_current_epoch:(%d+)') or '0' }
for _, range in ipairs(slots) do
  local master = range[3]
  table.insert(lines, range[1] .. ' ' .. range[2] .. ' ' .. master[2] .. ' ' .. (master[1] or ''))
end
return table.concat(lines, '\n')
