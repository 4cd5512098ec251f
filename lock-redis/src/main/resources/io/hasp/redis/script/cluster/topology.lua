-- Tells what a node knows of its cluster. Without keys, so that any node answers.
-- Reply one line with the number of the newest change that it has heard of, then for each range of slots a line:
--       first last port host, of their master
local info = redis.pcall('CLUSTER', 'INFO')
if type(info) == 'table' and info.err then
  return info
end
local slots = redis.pcall('CLUSTER', 'SLOTS')
if slots.err then
  return slots
end
local lines = { string.match(info, 'cluster_current_epoch:(%d+)') or '0' }
for _, range in ipairs(slots) do
  local master = range[3]
  if master then
    table.insert(lines, range[1] .. ' ' .. range[2] .. ' ' .. master[2] .. ' ' .. (master[1] or ''))
  end
end
return table.concat(lines, '\n')
