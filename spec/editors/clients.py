"""Has pygls, as a client that says what VS Code, Emacs (eglot) and Neovim say of themselves, ask `puppetfn lsp` for each thing it does.

In the environment: PUPPETFN_COMMAND, a JSON array, and PUPPETFN_MODULES, a directory with Debian's modules ntp and stdlib.
An answer that the protocol or the client's capabilities do not allow is an error.
"""

import asyncio
import json
import os
import shutil
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

COMMAND = json.loads(os.environ["PUPPETFN_COMMAND"])
MODULES = Path(os.environ["PUPPETFN_MODULES"])
EDITORS = ["visual_studio_code@v1.65.2", "emacs@v29.1", "neovim@v0.11.0"]
PATIENCE = 60

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning"),
]


class Module:
    """A module in an editor: its documents, and places in them by what is written there."""

    def __init__(self, client, root):
        self.client, self.root, self.versions = client, root, {}

    def uri(self, name):
        return (self.root / name).as_uri()

    def document(self, name):
        return lsp.TextDocumentIdentifier(uri=self.uri(name))

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def open(self, name, text=None, language="puppet"):
        self.versions[name] = 1
        document = lsp.TextDocumentItem(uri=self.uri(name), language_id=language, version=1, text=text or self.text(name))
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=document))

    def change(self, name, text):
        self.versions[name] += 1
        document = lsp.VersionedTextDocumentIdentifier(uri=self.uri(name), version=self.versions[name])
        change = lsp.TextDocumentContentChangeWholeDocument(text=text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(text_document=document, content_changes=[change]))

    def at(self, name, written, inside=0, text=None):
        """Where something is written first, so many characters into it."""
        before, found, _ = (text or self.text(name)).partition(written)
        assert found, written
        line = before.count("\n")
        character = len(before) - (before.rfind("\n") + 1) + inside
        return {"text_document": self.document(name), "position": lsp.Position(line=line, character=character)}

    async def diagnostics(self, name, wanted):
        """The codes of what is wrong with a document, once they are as wanted, or after a while as they are."""
        for _ in range(PATIENCE * 20):
            codes = [one.code for one in self.client.diagnostics.get(self.uri(name), [])]
            if codes == wanted:
                break
            await asyncio.sleep(0.05)
        return codes


@pytest_lsp.fixture(scope="module", params=EDITORS, config=ClientServerConfig(server_command=COMMAND))
async def client(request, lsp_client: LanguageClient, tmp_path_factory):
    root = tmp_path_factory.mktemp("project") / "modules" / "ntp"
    shutil.copytree(MODULES / "ntp", root)
    (root.parent / "stdlib").symlink_to(MODULES / "stdlib")
    params = lsp.InitializeParams(
        capabilities=client_capabilities(request.param),
        workspace_folders=[lsp.WorkspaceFolder(uri=root.as_uri(), name="ntp")],
        root_uri=root.as_uri(),
    )
    # pygls has no answer of its own to this; what is to be watched is not watched here.
    lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    answer = await lsp_client.initialize_session(params)
    assert answer.server_info.name == "puppetfn"
    lsp_client.module = Module(lsp_client, root)
    for name in ["manifests/init.pp", "manifests/config.pp"]:
        lsp_client.module.open(name)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def module(client):
    return client.module


INIT, CONFIG = "manifests/init.pp", "manifests/config.pp"


async def test_diagnostics_follow_what_is_typed(client, module):
    name = "manifests/typed.pp"
    module.open(name, "class ntp::typed { notify { 'a': mesage => 1 } }\n")
    assert await module.diagnostics(name, ["unknown-parameter"]) == ["unknown-parameter"]
    one = client.diagnostics[module.uri(name)][0]
    assert one.severity == lsp.DiagnosticSeverity.Error and one.source == "puppetfn"
    params = lsp.CodeActionParams(
        text_document=module.document(name), range=one.range, context=lsp.CodeActionContext(diagnostics=[one])
    )
    actions = await client.text_document_code_action_async(params)
    assert any("message" in action.title for action in actions)
    module.change(name, "class ntp::typed { notify { 'a': message => 'b' } }\n")
    assert await module.diagnostics(name, []) == []


async def test_completion(client, module):
    text = "class ntp::more {\n  notice($ntp::serv)\n  service { 'a':\n    ens\n  }\n  $x = $facts['os']['']\n  incl\n}\n"
    module.open("manifests/more.pp", text)
    for written, inside, label in [
        ("$ntp::serv", 10, "ntp::servers"),
        ("    ens", 7, "ensure"),
        ("['']", 2, "family"),
        ("incl", 4, "include"),
    ]:
        at = module.at("manifests/more.pp", written, inside, text)
        found = await client.text_document_completion_async(lsp.CompletionParams(**at))
        assert label in [item.label for item in found.items], (label, [item.label for item in found.items][:20])


async def test_words(client, module):
    hover = await client.text_document_hover_async(lsp.HoverParams(**module.at(CONFIG, "$ntp::keys_enable", 8)))
    assert "Boolean $keys_enable" in hover.contents.value
    help_text = "notice(regsubst('a', ))\n"
    module.open("manifests/help.pp", help_text)
    at = module.at("manifests/help.pp", ", )", 2, help_text)
    found = await client.text_document_signature_help_async(lsp.SignatureHelpParams(**at))
    assert found.active_parameter == 1 and "regsubst" in found.signatures[0].label


async def test_navigation(client, module):
    at = module.at(CONFIG, "$ntp::keys_enable", 8)
    found = await client.text_document_definition_async(lsp.DefinitionParams(**at))
    assert [one.uri for one in found] == [module.uri(INIT)]
    at = module.at(INIT, "$keys_controlkey", 3)
    found = await client.text_document_type_definition_async(lsp.TypeDefinitionParams(**at))
    assert [Path(one.uri).name for one in found] == ["key_id.pp"]
    context = lsp.ReferenceContext(include_declaration=True)
    params = lsp.ReferenceParams(context=context, **module.at(INIT, "$keys_enable", 3))
    found = {Path(one.uri).name for one in await client.text_document_references_async(params)}
    assert {"init.pp", "config.pp", "common.yaml"} <= found
    params = lsp.DocumentHighlightParams(**module.at(CONFIG, "$config_content", 3))
    assert len(await client.text_document_document_highlight_async(params)) == 4
    found = await client.text_document_definition_async(lsp.DefinitionParams(**module.at(CONFIG, "ntp/keys.epp", 3)))
    assert [Path(one.uri).name for one in found] == ["keys.epp"]


async def test_rename(client, module):
    at = module.at(INIT, "$keys_enable", 3)
    assert await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(**at))
    edit = await client.text_document_rename_async(lsp.RenameParams(new_name="has_keys", **at))
    changes = edit.changes or {}
    for one in edit.document_changes or []:
        if isinstance(one, lsp.TextDocumentEdit):
            changes[one.text_document.uri] = one.edits
    assert {"init.pp", "config.pp", "common.yaml", "ntp.conf.epp"} <= {Path(uri).name for uri in changes}
    assert {change.new_text for all_of in changes.values() for change in all_of} == {"has_keys", "ntp::has_keys"}


async def test_structure(client, module):
    document = module.document(CONFIG)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(text_document=document))
    assert symbols[0].name == "ntp::config"
    symbols = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query="keyid"))
    assert [symbol.name for symbol in symbols] == ["Ntp::Key_id"]
    assert await client.text_document_folding_range_async(lsp.FoldingRangeParams(text_document=document))
    place = module.at(CONFIG, "'absent'", 3)["position"]
    params = lsp.SelectionRangeParams(text_document=document, positions=[place])
    assert (await client.text_document_selection_range_async(params))[0].parent
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(text_document=document))
    assert len(tokens.data) > 500 and len(tokens.data) % 5 == 0
    whole = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=80, character=0))
    tokens = await client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(text_document=document, range=whole)
    )
    assert tokens.data
    assert await client.text_document_inlay_hint_async(lsp.InlayHintParams(text_document=document, range=whole)) is not None
    links = await client.text_document_document_link_async(lsp.DocumentLinkParams(text_document=document))
    assert {Path(link.target).name for link in links} == {"keys.epp", "ntp.conf.epp", "step-tickers.epp"}
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(text_document=document))
    assert lenses[0].command.title == "declared or named 2 times"


async def test_calls(client, module):
    found = await client.text_document_prepare_call_hierarchy_async(
        lsp.CallHierarchyPrepareParams(**module.at(CONFIG, "class ntp::config", 12))
    )
    assert [item.name for item in found] == ["ntp::config"]
    callers = await client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(item=found[0]))
    assert [call.from_.name for call in callers] == ["ntp"]
    found = await client.text_document_prepare_call_hierarchy_async(
        lsp.CallHierarchyPrepareParams(**module.at(INIT, "class ntp (", 8))
    )
    called = await client.call_hierarchy_outgoing_calls_async(lsp.CallHierarchyOutgoingCallsParams(item=found[0]))
    assert {"ntp::install", "ntp::config", "ntp::service"} <= {call.to.name for call in called}


async def test_formatting(client, module):
    text = "class ntp::layout {\nfile { '/a':\nensure=>file,\n    mode => \"0644\",\n     }\n}\n"
    name = "manifests/layout.pp"
    module.open(name, text)
    document, options = module.document(name), lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    params = lsp.DocumentFormattingParams(text_document=document, options=options)
    edits = await client.text_document_formatting_async(params)
    assert any("ensure => file," in edit.new_text or "=>" in edit.new_text for edit in edits)
    whole = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=6, character=0))
    params = lsp.DocumentRangeFormattingParams(text_document=document, options=options, range=whole)
    assert await client.text_document_range_formatting_async(params)
    params = lsp.DocumentOnTypeFormattingParams(
        text_document=document, options=options, ch="}", position=lsp.Position(line=4, character=6)
    )
    assert await client.text_document_on_type_formatting_async(params)


async def test_data_of_hiera(client, module):
    name = "data/common.yaml"
    text = module.text(name) + "ntp::\n"
    module.open(name, text, "yaml")
    found = await client.text_document_definition_async(lsp.DefinitionParams(**module.at(name, "ntp::keys_enable", 8)))
    assert [one.uri for one in found] == [module.uri(INIT)]
    line = text.count("\n") - 1
    params = lsp.CompletionParams(text_document=module.document(name), position=lsp.Position(line=line, character=5))
    found = await client.text_document_completion_async(params)
    assert "ntp::restrict" in [item.label for item in found.items]
    hover = await client.text_document_hover_async(lsp.HoverParams(**module.at(name, "ntp::keys_enable", 8)))
    assert "Boolean keys_enable" in hover.contents.value
