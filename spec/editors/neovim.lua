-- Has Neovim's own client talk to `puppetfn lsp`, and writes what came of it as JSON:
--   nvim --headless --clean -l is not known to old versions, so: nvim --headless -u NONE -c 'luafile neovim.lua'
-- In the environment: PUPPETFN_COMMAND, a JSON array; PUPPETFN_ROOT, a module; PUPPETFN_OUT, where the result goes;
-- PUPPETFN_LENSES, the command for code lenses.
local command = vim.fn.json_decode(os.getenv('PUPPETFN_COMMAND'))
local root, out = os.getenv('PUPPETFN_ROOT'), os.getenv('PUPPETFN_OUT')
local result = {}

local function finish()
  local file = io.open(out, 'w')
  file:write(vim.fn.json_encode(result))
  file:close()
  vim.cmd('qall!')
end

local function position(line, column)
  return { textDocument = vim.lsp.util.make_text_document_params(), position = { line = line, character = column } }
end

local ok, problem = pcall(function()
  vim.cmd('edit ' .. root .. '/manifests/init.pp')
  local id = vim.lsp.start_client({ name = 'puppetfn', cmd = command, root_dir = root })
  vim.lsp.buf_attach_client(0, id)
  vim.wait(20000, function() local client = vim.lsp.get_client_by_id(id); return client and client.initialized end)

  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
    local answer = answers[id] or {}
    return answer.result
  end

  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  result.lines = #lines
  result.hover = ask('textDocument/hover', position(4, 13)).contents.value
  result.definition = ask('textDocument/definition', position(4, 13))[1].uri
  local completion = ask('textDocument/completion', position(4, 21))
  result.completion = vim.tbl_map(function(item) return item.label end, completion.items)

  -- The documented command lists the references behind a code lens.
  load(os.getenv('PUPPETFN_LENSES'))()
  vim.lsp.codelens.refresh()
  vim.wait(20000, function() return #vim.lsp.codelens.get(0) > 0 end)
  local window = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.lsp.codelens.run()
  result.references = vim.tbl_map(function(item) return { vim.fn.bufname(item.bufnr), item.lnum } end, vim.fn.getqflist())
  vim.api.nvim_set_current_win(window)

  -- A mistake is shown as it is typed, and gone when it is mended.
  vim.api.nvim_buf_set_lines(0, 5, 5, false, { "  notify { 'é😀': mesage => 1 }" })
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)
  result.wrong = vim.tbl_map(function(one) return { one.lnum, one.col, one.message } end, vim.diagnostic.get(0))
  vim.api.nvim_buf_set_lines(0, 5, 6, false, {})
  vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end)
  result.right = #vim.diagnostic.get(0)

  -- Neovim makes the changes that a rename and the layout ask for.
  local params = position(4, 3)
  params.newName = 'following'
  vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', params), vim.lsp.get_client_by_id(id).offset_encoding)
  local layout = { textDocument = vim.lsp.util.make_text_document_params(), options = { tabSize = 2, insertSpaces = true } }
  vim.lsp.util.apply_text_edits(ask('textDocument/formatting', layout), vim.api.nvim_get_current_buf(), vim.lsp.get_client_by_id(id).offset_encoding)
  result.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.lsp.stop_client(id)
  vim.wait(20000, function() return vim.lsp.get_client_by_id(id) == nil or vim.lsp.get_client_by_id(id).is_stopped() end)
  result.stopped = true
end)
if not ok then result.problem = tostring(problem) end
finish()
